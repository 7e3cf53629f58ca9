// What the command line chooses, sets and gets wrong.
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <regex>

using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using nlohmann::json;

TEST_CASE("a filter keeps what it matches") {
  const Sandbox sandbox;
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady", "noisy"}), "n = [8, 16]"));
  REQUIRE(sandbox.call({"run", config.string(), "--filter", "*steady*n=16*"}).exit_code == 0);
  const json document = sandbox.exported();
  REQUIRE(document.at("rows").size() == 1);
  CHECK(document.at("rows").at(0).at("problem").at("n") == 16);
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
  CHECK(refused({}) == "benchctl: error: a command is missing; `benchctl --help` lists all\n");
  CHECK(refused({"plugin"}) ==
        "benchctl plugin: error: a command is missing; `benchctl plugin --help` lists all\n");
  CHECK(refused({"run"}) == "benchctl run: error: config is required; `benchctl run --help` says more\n");
  CHECK_THAT(refused({"pln", "c.toml"}),
             ContainsSubstring("no command 'pln'") && ContainsSubstring("did you mean 'plan'"));
  CHECK_THAT(refused({"plugin", "chek", "x.so"}),
             ContainsSubstring("benchctl plugin has no command 'chek'; did you mean 'check'?"));
  CHECK_THAT(refused({"runs", "nonsense"}), ContainsSubstring("`benchctl runs --help` lists all"));
  CHECK_THAT(refused({"tune"}), ContainsSubstring("benchctl tune: error: config is required"));
  CHECK_THAT(refused({"list", "--brief"}), ContainsSubstring("--configs"));
  CHECK_THAT(refused({"--completion", "nonsense"}), ContainsSubstring("nonsense"));
  CHECK_THAT(refused({"nonsense"}),
             ContainsSubstring("no command 'nonsense'") && ContainsSubstring("--help"));
  CHECK_THAT(refused({"run", "c.toml", "--timeout", "0"}),
             ContainsSubstring("--timeout: '0' cannot be; expected a number above 0"));
  CHECK_THAT(refused({"run", "c.toml", "--budget", "inf"}),
             ContainsSubstring("--budget inf: expected a time"));
  CHECK_THAT(refused({"devices", "--plugin-path", "/no/such/folder"}),
             ContainsSubstring("--plugin-path") && ContainsSubstring("/no/such/folder"));
  CHECK_THAT(refused({"devices", "nonsense"}), ContainsSubstring("nonsense"));
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
  CHECK(document.at("rows").at(0).at("problem").at("n") == 4);
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

TEST_CASE("a mistyped backend, device, filter or point gets a suggestion") {
  Sandbox sandbox;
  sandbox.set("BENCHCTL_FAKE_DEVICES", "2");
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady", "noisy"}), "n = [8, 16]"));
  const auto refused = [&](const std::vector<std::string>& arguments) {
    const Outcome outcome = sandbox.call(arguments);
    CHECK(outcome.exit_code == 2);
    return outcome.err;
  };
  CHECK_THAT(refused({"check", config.string(), "--backend", "fakr"}),
             ContainsSubstring("--backend fakr: no such backend (did you mean 'fake'?)"));
  CHECK_THAT(refused({"selftest", "--backend", "fakr"}), ContainsSubstring("did you mean 'fake'?"));
  CHECK_THAT(refused({"check", config.string(), "--device", "fkae:1"}),
             ContainsSubstring("did you mean 'fake:1'?") && ContainsSubstring("fake:0, fake:1"));
  CHECK_THAT(refused({"check", config.string(), "--filter", "*stedy*n=16*"}),
             ContainsSubstring("did you mean '*steady*n=16*'?"));
  CHECK_THAT(refused({"check", config.string(), "--filter", "noisy"}),
             ContainsSubstring("did you mean '*noisy*'?"));
  REQUIRE(sandbox.call({"run", config.string(), "--device", "fake:0"}).exit_code == 0);
  CHECK_THAT(refused({"explain", "*stedy*n=16*"}), ContainsSubstring("did you mean '*steady*n=16*'?"));
}

TEST_CASE("a check as JSON holds every finding with its place") {
  const Sandbox sandbox;
  const auto check = [&](const std::string& text, int code) {
    const Outcome outcome =
        sandbox.call({"check", sandbox.write("c.toml", text).string(), "--format", "json"});
    INFO(outcome.err);
    CHECK(outcome.exit_code == code);
    return json::parse(outcome.out);
  };
  const json fine = check(fake_config(list_of({"steady"}), "n = [8, 16]\nblock = [1, 2048]"), 0);
  CHECK(fine.at("fine") == true);
  CHECK(fine.at("points") == 4);
  CHECK(fine.at("ruled_out") == 2);
  CHECK(fine.at("diagnostics").empty());
  const json wrong = check(fake_config(list_of({"stedy"}), "n = [8]", "targte = 0.1"), 2);
  CHECK(wrong.at("fine") == false);
  const json& first = wrong.at("diagnostics").at(0);
  CHECK(first.at("severity") == "error");
  CHECK(first.at("line") == 4);
  CHECK(first.at("column") == 1);
  CHECK(first.at("offending") == "targte");
  CHECK(first.at("suggestion") == "target");
}

TEST_CASE("samples are pruned on request; what needs them is refused, the rest goes on") {
  Sandbox sandbox;
  sandbox.write("a.toml", fake_config("variants = [\"steady\"]", "n = [8]"));
  REQUIRE(sandbox.call({"run", "a.toml"}).exit_code == 0);
  const std::string median = sandbox.exported().at("rows").at(0).at("median_ns").dump();
  const Outcome pruned = sandbox.call({"runs", "prune", "1"});
  CHECK(pruned.exit_code == 0);
  CHECK_THAT(pruned.err,
             ContainsSubstring("samples of 1 points were dropped") && ContainsSubstring("Statistics stay"));
  CHECK(sandbox.exported().at("rows").at(0).at("median_ns").dump() == median);
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"show", "1"},
                                             {"explain", "1:0"},
                                             {"report", "1", "--format", "html"},
                                             {"report", "1", "--format", "md"}}) {
    CAPTURE(command[0]);
    CHECK(sandbox.call(command).exit_code == 0);
  }
  CHECK_THAT(sandbox.call({"explain", "1:0"}).out, ContainsSubstring("pruned: "));
  const Outcome refused = sandbox.call({"export", "1", "--format", "json", "--samples"});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, ContainsSubstring("needs the samples of point 1:0"));
  CHECK(sandbox.call({"runs", "prune", "7"}).exit_code == 2);
}

TEST_CASE("a store is copied on request, and the copy replaces nothing") {
  Sandbox sandbox;
  sandbox.write("a.toml", fake_config("variants = [\"steady\"]", "n = [8]"));
  REQUIRE(sandbox.call({"run", "a.toml"}).exit_code == 0);
  CHECK(sandbox.call({"runs", "backup", "copy.db"}).exit_code == 0);
  const auto exported = [&](const std::string& store) {
    std::string text = sandbox.call({"export", "--db", store}).out;
    const std::string name = fs::path(store).filename();
    text.erase(text.find(name), name.size());
    return text;
  };
  CHECK(exported(sandbox.path() / "store.db") == exported("copy.db"));
  const Outcome again = sandbox.call({"runs", "backup", "copy.db"});
  CHECK(again.exit_code == 2);
  CHECK_THAT(again.err, ContainsSubstring("'copy.db' exists"));
  CHECK(sandbox.call({"runs", "backup", "nowhere/copy.db"}).exit_code == 2);
}

TEST_CASE("runs are deleted by number, and what must stay says why") {
  const Sandbox sandbox;
  CHECK_THAT(sandbox.call({"runs", "delete", "1"}).err, ContainsSubstring("there is no store"));
  CHECK_FALSE(std::filesystem::exists(sandbox.path() / "store.db"));
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  for (int i = 0; i < 3; ++i) REQUIRE(sandbox.call({"run", config.string()}).exit_code == 0);
  REQUIRE(sandbox.call({"runs", "baseline", "release", "3"}).exit_code == 0);
  const Outcome refused = sandbox.call({"runs", "delete", "1", "release"});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, ContainsSubstring("no run was deleted, because of run 3") &&
                              ContainsSubstring("benchctl runs baseline release --remove"));
  CHECK_THAT(sandbox.call({"runs", "delete", "7"}).err, ContainsSubstring("has no run '7'"));
  CHECK(sandbox.call({"runs", "delete", "1", "2"}).exit_code == 0);
  const json runs = json::parse(sandbox.call({"runs", "--format", "json"}).out).at("runs");
  REQUIRE(runs.size() == 1);
  CHECK(sandbox.call({"show", "3"}).exit_code == 0);
  CHECK(sandbox.call({"show", "1"}).exit_code == 2);
}

TEST_CASE("completions offer commands, options and their values") {
  Sandbox sandbox;
  sandbox.set("BENCHCTL_FAKE_DEVICES", "2");
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  REQUIRE(sandbox.call({"run", config.string()}).exit_code == 0);
  REQUIRE(sandbox.call({"runs", "baseline", "release"}).exit_code == 0);
  static_cast<void>(sandbox.write("ask.sh", sandbox.call({"--completion", "bash"}).out +
                                                "COMP_WORDS=(\"$@\")\nCOMP_CWORD=$(($# - 1))\n"
                                                "COMP_LINE=\"$*\"\nCOMP_POINT=${#COMP_LINE}\n"
                                                "_benchctl\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n"));
  const auto offered = [&](const std::vector<std::string>& words) {
    // `benchctl` on the PATH is this one.
    std::vector<std::string> wrapper{
        "bash", "-c", "PATH=$(dirname \"${!#}\"):$PATH; set -- \"${@:1:$#-1}\"; exec bash ask.sh \"$@\"",
        "bash", "benchctl"};
    wrapper.insert(wrapper.end(), words.begin(), words.end());
    const Outcome outcome = sandbox.call_under(wrapper, {});
    INFO(outcome.err);
    CHECK(outcome.err.empty());
    return '\n' + outcome.out;
  };
  CHECK_THAT(offered({"expl"}), ContainsSubstring("\nexplain\n"));
  CHECK_THAT(offered({"run", "--bud"}), ContainsSubstring("\n--budget\n"));
  CHECK(offered({"run", "c.toml", "--format", "js"}) == "\njson\njsonl\n");
  CHECK(offered({"report", "--format", "js"}) == "\njson\n");
  CHECK_THAT(offered({"run", "c.toml", "--backend", "fa"}), ContainsSubstring("\nfake\n"));
  CHECK_THAT(offered({"run", "c.toml", "--device", ""}),
             ContainsSubstring("\nfake:0\n") && ContainsSubstring("\nfake:1\n"));
  CHECK(offered({"run", "c.toml", "--backend", "opencl,fa"}) == "\nopencl,fake\n");
  CHECK(offered({"run", "c.toml", "--backend=fa"}) == "\nfake\n");
  // The shell takes what stands behind a colon for a word of its own.
  CHECK(offered({"run", "c.toml", "--device", "fake:"}) == "\n0\n1\n");
  CHECK(offered({"run", "c.toml", "--device", "fake:0,fake:"}) == "\n0\n1\n");
  CHECK(offered({"explain", "0"}) == "\n0\n");
  CHECK_THAT(sandbox.call({"complete", "benchctl explain "}).out,
             ContainsSubstring("0\tmatmul/steady @ fake:0"));
  CHECK_THAT(offered({"run", "tile_"}), ContainsSubstring("\ntile_sweep\n"));
  CHECK_THAT(offered({"run", "c.to"}), ContainsSubstring("\nc.toml\n"));
  CHECK_THAT(offered({"show", ""}), ContainsSubstring("\n1\n") && ContainsSubstring("\nrelease\n"));
  CHECK_THAT(offered({"list", "mat"}), ContainsSubstring("\nmatmul\n"));
  CHECK_THAT(offered({"runs", "mer"}), ContainsSubstring("\nmerge\n"));
  CHECK_THAT(offered({"plugin", "ch"}), ContainsSubstring("\ncheck\n"));
  CHECK_THAT(offered({"plugin", "check", "--qu"}), ContainsSubstring("\n--quick\n"));
  CHECK_THAT(sandbox.call({"--completion", "fish"}).out,
             ContainsSubstring("(benchctl complete (commandline -cp) 2>/dev/null"));
  CHECK_THAT(sandbox.call({"complete", "benchctl run --fre"}).out,
             ContainsSubstring("--fresh\tBegin a new run"));
}

TEST_CASE(
    "the help groups at most twenty commands, and that of a command is free of the parser's remarks") {
  const Sandbox sandbox;
  const std::string help = sandbox.call({"--help"}).out;
  std::size_t commands = 0;
  std::size_t at = 0;
  for (const std::string group : {"Measure", "Read", "Store", "Machine", "Extend", "Cluster"}) {
    CAPTURE(group);
    const std::size_t found = help.find("\n" + group + ":\n", at);
    REQUIRE(found != std::string::npos);  // in this order
    at = found + 1;
    for (std::size_t line = help.find('\n', at) + 1; help.compare(line, 2, "  ") == 0;
         line = help.find('\n', line) + 1) {
      if (help[line + 2] != ' ') ++commands;
    }
  }
  CHECK(commands > 15);
  CHECK(commands <= 20);
  CHECK_THAT(help, ContainsSubstring("5 not resolved") && ContainsSubstring("benchctl COMMAND --help"));
  const std::string run = sandbox.call({"run", "--help"}).out;
  CHECK_THAT(run, ContainsSubstring("--format {text,json,jsonl}=text") && ContainsSubstring("Examples:") &&
                      ContainsSubstring("--timeout SECONDS=120"));
  CHECK_THAT(run, !ContainsSubstring("Excludes") && !ContainsSubstring("not resolved") &&
                      !ContainsSubstring("REQUIRED") && !ContainsSubstring("benchctl COMMAND"));
  CHECK_THAT(sandbox.call({"compare", "--help"}).out, ContainsSubstring("5 not resolved"));
}

TEST_CASE("the version names revision, compiler and plugins, whatever state they are in") {
  const Sandbox sandbox;
  const std::string crashing = (test_plugin_directory().parent_path() / "crashing_plugins").string();
  const Outcome outcome = sandbox.call({"--version", "--plugin-path", crashing});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.out, StartsWith("benchctl " BENCHCTL_VERSION "\nrevision  "));
  CHECK(std::regex_search(outcome.out, std::regex("\nrevision  [A-Za-z0-9._-]+\n")));
  CHECK_THAT(outcome.out, ContainsSubstring("\ncompiler  ") && ContainsSubstring("  fake "));
  CHECK_THAT(outcome.out,
             ContainsSubstring("  bad_crash cannot be used: the worker died during 'describe': signal 6"));
  CHECK(sandbox.log().empty());  // no device was asked for
}
