// What the command line chooses, sets and gets wrong.
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

TEST_CASE("a filter keeps what it matches") {
  const Sandbox sandbox;
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady", "noisy"}), "n = [8, 16]"));
  REQUIRE(sandbox.call({"run", config.string(), "--filter", "*steady*n=16*"}).exit_code == 0);
  const json document = sandbox.exported();
  REQUIRE(document.at("rows").size() == 1);
  CHECK(document.at("rows").at(0).at("n") == 16);
  CHECK(document.at("rows").at(0).at("variant") == "steady");
}

TEST_CASE("a selection that leaves nothing is a slip, not a run without failures") {
  const Sandbox sandbox;
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  for (const std::string command : {"run", "plan", "check"}) {
    const Outcome filtered = sandbox.call({command, config.string(), "--filter", "steady"});
    INFO(command);
    CHECK(filtered.exit_code == 2);
    CHECK_THAT(filtered.err, ContainsSubstring("--filter steady: no point's label matches") &&
                                 ContainsSubstring("matmul/steady @ fake:0"));
    const Outcome elsewhere = sandbox.call({command, config.string(), "--backend", "cpu_avx"});
    CHECK(elsewhere.exit_code == 2);
    CHECK_THAT(elsewhere.err, ContainsSubstring("cpu_avx"));
  }
  CHECK_THAT(sandbox.call({"runs"}).err, ContainsSubstring("there is no store"));
}

TEST_CASE("a slip on the command line is told where it is") {
  const Sandbox sandbox;
  const auto refused = [&](const std::vector<std::string>& arguments) {
    const Outcome outcome = sandbox.call(arguments);
    CHECK(outcome.exit_code == 2);
    return outcome.err;
  };
  CHECK_THAT(refused({"pln", "c.toml"}),
             ContainsSubstring("no command 'pln'") && ContainsSubstring("did you mean 'plan'"));
  CHECK_THAT(refused({"nonsense"}),
             ContainsSubstring("no command 'nonsense'") && ContainsSubstring("--help"));
  CHECK_THAT(refused({"run", "c.toml", "--timeout", "0"}),
             ContainsSubstring("--timeout: '0' cannot be; expected a number above 0"));
  CHECK_THAT(refused({"run", "c.toml", "--budget", "inf"}),
             ContainsSubstring("--budget inf: expected a time"));
  CHECK_THAT(refused({"devices", "--plugin-path", "/no/such/folder"}),
             ContainsSubstring("--plugin-path") && ContainsSubstring("/no/such/folder"));
  CHECK_THAT(refused({"reference", "nonsense"}), ContainsSubstring("nonsense"));
  CHECK_THAT(refused({"run", "--bugdet", "5s", "x.toml"}), ContainsSubstring("did you mean --budget?"));
  CHECK_THAT(refused({"plugin", "check", "--quik=1", "x"}), ContainsSubstring("did you mean --quick?"));
  CHECK_THAT(refused({"run", "--colour-of-the-sky", "x.toml"}), !ContainsSubstring("did you mean"));
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  REQUIRE(sandbox.call({"run", config.string()}).exit_code == 0);
  CHECK_THAT(refused({"export", "-o", "/no/such/folder/x.csv"}),
             ContainsSubstring("No such file or directory"));
}

TEST_CASE("output that does not arrive is an error") {
  const Sandbox sandbox;
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  REQUIRE(sandbox.call({"run", config.string()}).exit_code == 0);
  const auto shell = [&](const std::string& redirection, const std::vector<std::string>& arguments) {
    return sandbox.call_under({"sh", "-c", "exec \"$@\" " + redirection, "sh"}, arguments);
  };
  for (const std::string command : {"show", "export", "runs", "list"}) {
    const Outcome full = shell(">/dev/full", {command});
    INFO(command);
    CHECK(full.exit_code == 2);
    CHECK_THAT(full.err, ContainsSubstring("cannot write to standard output: No space left"));
    CHECK(shell(">&-", {command}).exit_code == 2);
  }
  CHECK(shell("2>&-", {"show"}).exit_code == 0);
  CHECK(sandbox.call({"show"}).exit_code == 0);  // nothing went into the store
}

TEST_CASE("a limit on the size of files is told, and does not kill") {
  const Sandbox sandbox;
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  const Outcome limited =
      sandbox.call_under({"sh", "-c", "ulimit -f 20; exec \"$@\"", "sh"}, {"run", config.string()});
  CHECK(limited.exit_code == 2);
  CHECK_THAT(limited.err, ContainsSubstring("store.db"));
  CHECK_THAT(sandbox.call({"runs"}).err, ContainsSubstring("there is no store"));
  CHECK(sandbox.call({"run", config.string()}).exit_code == 0);
}

TEST_CASE("an axis can be set for one run") {
  const Sandbox sandbox;
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady"}), "n = [8, 16]"));
  REQUIRE(sandbox.call({"run", config.string(), "--set", "n=[4]"}).exit_code == 0);
  const json document = sandbox.exported();
  REQUIRE(document.at("rows").size() == 1);
  CHECK(document.at("rows").at(0).at("n") == 4);
}

TEST_CASE("control characters of names and words do not reach the terminal") {
  const Sandbox sandbox;
  const auto config = sandbox.write("c\x1b[2J.toml", fake_config(list_of({"steady"}), "n = [8]"));
  const Outcome fine = sandbox.call({"check", config.string()});
  CHECK(fine.exit_code == 0);
  CHECK_THAT(fine.out, ContainsSubstring("c\\x1b[2J.toml: fine"));
  const auto wrong = sandbox.write("w.toml", fake_config(list_of({"ste\\u001bady"}), "n = [8]"));
  const Outcome refused = sandbox.call({"check", wrong.string()});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, ContainsSubstring("ste\\x1bady"));
  for (const Outcome& outcome : {fine, refused}) {
    CHECK(outcome.out.find('\x1b') == std::string::npos);
    CHECK(outcome.err.find('\x1b') == std::string::npos);
  }
}
