// What the command line chooses, sets and gets wrong.
#include "support/catch.hpp"
#include "support/program.hpp"

#include <filesystem>
#include <regex>

using namespace benchctl::test;
using nlohmann::json;
namespace fs = std::filesystem;

TEST_CASE_METHOD(Sandbox, "a filter keeps what it matches, and an axis can be set for one run") {
  const auto only_row = [&](const std::vector<std::string>& more) {
    run(fake_config(list_of({"steady", "noisy"}), "n = [8, 16]"), 0, more);
    const json rows = this->rows();
    REQUIRE(rows.size() == 1);
    return rows.at(0);
  };
  const json filtered = only_row({"--filter", "*steady*n=16*"});
  CHECK(filtered.at("problem").at("n") == 16);
  CHECK(filtered.at("variant") == "steady");
  CHECK(only_row({"--filter", "*steady*", "--set", "n=[4]"}).at("problem").at("n") == 4);
}

TEST_CASE_METHOD(Sandbox, "a selection that leaves nothing is a slip, not a run without failures") {
  write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  for (const std::string command : {"run", "plan", "check"}) {
    CHECK_THAT(expect(2, {command, "c.toml", "--filter", "steady"}).err,
               HasAll({"--filter steady: no point's label matches", "matmul/steady @ fake:0"}));
    CHECK_THAT(expect(2, {command, "c.toml", "--backend", "cpu_avx"}).err, ContainsSubstring("cpu_avx"));
  }
  CHECK_THAT(call({"runs"}).err, ContainsSubstring("there is no store"));
}

TEST_CASE_METHOD(Sandbox, "a slip on the command line is told where it is") {
  const auto refused = [&](const std::vector<std::string>& words) { return expect(2, words).err; };
  CHECK(refused({}) == "benchctl: error: a command is missing; `benchctl --help` lists all\n");
  CHECK(refused({"plugin"}) ==
        "benchctl plugin: error: a command is missing; `benchctl plugin --help` lists all\n");
  CHECK(refused({"run"}) == "benchctl run: error: config is required; `benchctl run --help` says more\n");
  CHECK_THAT(refused({"pln", "c.toml"}), HasAll({"no command 'pln'", "did you mean 'plan'"}));
  CHECK_THAT(refused({"plugin", "chek", "x.so"}),
             ContainsSubstring("benchctl plugin has no command 'chek'; did you mean 'check'?"));
  CHECK_THAT(refused({"import", "x"}),
             ContainsSubstring("no command 'import'; `benchctl --help` lists all"));
  CHECK_THAT(refused({"show", "1", "2", "3"}),
             ContainsSubstring("these arguments were not expected: 2 3;"));
  CHECK_THAT(refused({"report", "--max-samples", "-1"}),
             ContainsSubstring("'-1' cannot be; expected a number from 0 on"));
  write("f.txt", "x");
  CHECK_THAT(refused({"plugin", "check", "f.txt"}), ContainsSubstring("f.txt is not a library"));
  write("b.json", "{");
  CHECK_THAT(
      refused({"doctor", "--known-cards", "b.json"}),
      StartsWith("benchctl: error: b.json: the list of known cards") && !ContainsSubstring("exception"));
  CHECK_THAT(refused({"list", "--devices", "--expect", "b.json"}),
             StartsWith("benchctl: error: b.json is not an output") && !ContainsSubstring("exception"));
  CHECK_THAT(refused({"runs", "nonsense"}), ContainsSubstring("`benchctl runs --help` lists all"));
  CHECK_THAT(refused({"tune"}), ContainsSubstring("benchctl tune: error: config is required"));
  CHECK_THAT(refused({"nonsense"}), HasAll({"no command 'nonsense'", "--help"}));
  CHECK_THAT(refused({"run", "c.toml", "--timeout", "0"}),
             ContainsSubstring("--timeout: '0' cannot be; expected a number above 0"));
  CHECK_THAT(refused({"run", "c.toml", "--budget", "inf"}),
             ContainsSubstring("--budget inf: expected a time"));
  CHECK_THAT(refused({"run", "c.toml", "--budget", "1e308h"}), ContainsSubstring("expected a time"));
  for (const std::string share : {"nan", "-nan", "inf", "-0.1", "1.5", "101%"}) {
    for (const std::string option : {"--threshold", "--process-spread"})
      CHECK_THAT(refused({"compare", "1", option + "=" + share}),
                 HasAll({option, "'" + share + "' is not a share"}));
  }
  CHECK_THAT(refused({"list", "--plugin-path", "/no/such/folder"}),
             HasAll({"--plugin-path", "/no/such/folder"}));
  CHECK_THAT(refused({"list", "--devices", "matmul"}), ContainsSubstring("workload excludes --devices"));
  CHECK_THAT(refused({"run", "--bugdet", "5s", "x.toml"}), ContainsSubstring("did you mean --budget?"));
  CHECK_THAT(refused({"plugin", "check", "--ful=1", "x"}), ContainsSubstring("did you mean --full?"));
  CHECK_THAT(refused({"run", "--colour-of-the-sky", "x.toml"}), !ContainsSubstring("did you mean"));
  run(fake_config(list_of({"steady"}), "n = [8]"));
  CHECK_THAT(refused({"export", "-o", "/no/such/folder/x.csv"}),
             ContainsSubstring("No such file or directory"));
  CHECK_THAT(refused({"compare", "1", "1"}), ContainsSubstring("base and new are both run 1"));
  CHECK_THAT(refused({"history", "nosuch"}), HasAll({"workload 'nosuch'", "there are times of matmul"}));
  CHECK_THAT(refused({"history", "--filter", "stedy*"}), ContainsSubstring("did you mean '*steady*'?"));
  write("two.toml", fake_config(list_of({"steady"}),
                                "n = [8]\n[[sweep]]\nworkload = \"matmul\"\nvariants = "
                                "[\"noisy\"]\n[sweep.parameters]\nn = [8]"));
  const std::string twice = refused({"plan", "two.toml", "--set", "n=x"});
  CHECK(twice.find("axis 'n' cannot be x") == twice.rfind("axis 'n' cannot be x"));
  write("results.toml", "a = 1\n");
  expect(0, {"export", "-o", "results.toml"});
  CHECK_THAT(refused({"export", "-o", "two.toml"}), ContainsSubstring("not overwritten"));
}

TEST_CASE_METHOD(Sandbox, "output that does not arrive is an error") {
  run(fake_config(list_of({"steady"}), "n = [8]"));
  const auto shell = [&](const std::string& redirection, const std::vector<std::string>& arguments) {
    return call_under({"sh", "-c", "exec \"$@\" " + redirection, "sh"}, arguments);
  };
  for (const std::string command : {"show", "export", "runs", "list"}) {
    const Outcome full = shell(">/dev/full", {command});
    INFO(command);
    CHECK(full.exit_code == 2);
    CHECK_THAT(full.err, ContainsSubstring("cannot write to standard output: No space left"));
    CHECK(shell(">&-", {command}).exit_code == 2);
  }
  CHECK(shell("2>&-", {"show"}).exit_code == 0);
  // A reader that has seen enough changes nothing: neither what is measured nor how the program ends.
  write("failing.toml", fake_config(list_of({"throws", "steady"}), "n = [8]\nfault_verb = ['prepare']"));
  for (const std::string form : {"text", "json", "jsonl"}) {
    const Outcome left = call_under({"bash", "-c", "\"$@\" | true; exit ${PIPESTATUS[0]}", "bash"},
                                    {"run", "failing.toml", "--fresh", "--format", form});
    INFO(form << left.err);
    CHECK(left.exit_code == 1);
    CHECK_THAT(left.err, !ContainsSubstring("standard output"));
    CHECK(rows().size() == 2);
  }
  expect(0, {"show", "1"});  // nothing went into the store
}

TEST_CASE_METHOD(Sandbox, "an empty TMPDIR is none") {
  set("TMPDIR", "");
  run(fake_config(list_of({"steady"}), "n = [8]"));
}

TEST_CASE_METHOD(Sandbox, "a limit on the size of files is told, and does not kill") {
  write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  const Outcome limited = call_under({"sh", "-c", "ulimit -f 20; exec \"$@\"", "sh"}, {"run", "c.toml"});
  CHECK(limited.exit_code == 2);
  CHECK_THAT(limited.err, ContainsSubstring("store.db"));
  CHECK_THAT(call({"runs"}).err, ContainsSubstring("there is no store"));
  expect(0, {"run", "c.toml"});
}

TEST_CASE_METHOD(Sandbox, "a cache that others may write to is not used, which is said once") {
  const fs::path cache = path() / "cache";
  fs::create_directory(cache);
  fs::permissions(cache, fs::perms::all);
  write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  const std::string told = "the cache " + cache.string() + " is not used";
  const std::string err = expect(0, {"run", "c.toml"}).err;
  CHECK_THAT(err, HasAll({told, "may be written by every user"}));
  CHECK(err.find(told) == err.rfind(told));
  CHECK(fs::is_empty(cache));
  fs::permissions(cache, fs::perms::owner_all);
  CHECK(expect(0, {"run", "c.toml", "--fresh"}).err.find(told) == std::string::npos);
  CHECK_FALSE(fs::is_empty(cache));
}

TEST_CASE_METHOD(Sandbox, "control characters of names and words do not reach the terminal") {
  const auto config = write("c\x1b[2J.toml", fake_config(list_of({"steady"}), "n = [8]"));
  const Outcome fine = expect(0, {"check", config.string()});
  CHECK_THAT(fine.out, ContainsSubstring("c\\x1b[2J.toml: fine"));
  write("w.toml", fake_config(list_of({"ste\\u001bady"}), "n = [8]"));
  const Outcome refused = expect(2, {"check", "w.toml"});
  CHECK_THAT(refused.err, ContainsSubstring("ste\\x1bady"));
  for (const Outcome& outcome : {fine, refused}) {
    CHECK(outcome.out.find('\x1b') == std::string::npos);
    CHECK(outcome.err.find('\x1b') == std::string::npos);
  }
}

TEST_CASE_METHOD(Sandbox, "a mistyped backend, device, filter or point gets a suggestion") {
  set("BENCHCTL_FAKE_DEVICES", "2");
  write("c.toml", fake_config(list_of({"steady", "noisy"}), "n = [8, 16]"));
  const auto refused = [&](const std::vector<std::string>& words) { return expect(2, words).err; };
  CHECK_THAT(refused({"check", "c.toml", "--backend", "fakr"}),
             ContainsSubstring("--backend fakr: no such backend (did you mean 'fake'?)"));
  CHECK_THAT(refused({"selftest", "--backend", "fakr"}), ContainsSubstring("did you mean 'fake'?"));
  CHECK_THAT(refused({"check", "c.toml", "--device", "fkae:1"}),
             HasAll({"did you mean 'fake:1'?", "fake:0, fake:1"}));
  CHECK_THAT(refused({"check", "c.toml", "--filter", "*stedy*n=16*"}),
             ContainsSubstring("did you mean '*steady*n=16*'?"));
  CHECK_THAT(refused({"check", "c.toml", "--filter", "noisy"}),
             ContainsSubstring("did you mean '*noisy*'?"));
  expect(0, {"run", "c.toml", "--device", "fake:0"});
  CHECK_THAT(refused({"explain", "*stedy*n=16*"}), ContainsSubstring("did you mean '*steady*n=16*'?"));
}

TEST_CASE_METHOD(Sandbox, "a check as JSON holds every finding with its place") {
  const auto check = [&](const std::string& text, int code) {
    write("c.toml", text);
    return parsed({"check", "c.toml"}, code);
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
  CHECK(first.at("suggestion") == "target");
}

TEST_CASE_METHOD(Sandbox, "samples are pruned on request; what needs them is refused, the rest goes on") {
  run(fake_config(list_of({"steady"}), "n = [8]"));
  const std::string median = rows().at(0).at("median_ns").dump();
  const Outcome pruned = expect(0, {"runs", "prune", "1"});
  CHECK_THAT(pruned.err, ContainsSubstring("the samples were dropped"));
  CHECK(rows().at(0).at("median_ns").dump() == median);
  expect(0, {"show", "1"});
  for (const std::string form : {"html", "md"}) expect(0, {"report", "1", "--format", form});
  CHECK_THAT(expect(0, {"explain", "1:0"}).out, ContainsSubstring("pruned: "));
  CHECK_THAT(expect(2, {"export", "1", "--format", "json", "--samples"}).err,
             ContainsSubstring("needs the samples of point 1:0"));
  expect(2, {"runs", "prune", "7"});
}

TEST_CASE_METHOD(Sandbox, "a store is copied on request, and the copy replaces nothing") {
  run(fake_config(list_of({"steady"}), "n = [8]"));
  expect(0, {"runs", "backup", "copy.db"});
  CHECK(parsed({"export"}).at("rows") == parsed({"export", "--db", "copy.db"}).at("rows"));
  CHECK_THAT(expect(2, {"runs", "backup", "copy.db"}).err, ContainsSubstring("'copy.db' exists"));
  expect(2, {"runs", "backup", "nowhere/copy.db"});
}

TEST_CASE_METHOD(Sandbox, "runs are deleted by number, and what must stay says why") {
  CHECK_THAT(call({"runs", "delete", "1"}).err, ContainsSubstring("there is no store"));
  CHECK_FALSE(std::filesystem::exists(path() / "store.db"));
  write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  for (int i = 0; i < 3; ++i) REQUIRE(call({"run", "c.toml"}).exit_code == 0);
  expect(0, {"runs", "baseline", "release", "3"});
  CHECK_THAT(expect(2, {"runs", "delete", "1", "release"}).err,
             HasAll({"no run was deleted, because of run 3", "benchctl runs baseline release --remove"}));
  CHECK_THAT(call({"runs", "delete", "7"}).err, ContainsSubstring("has no run '7'"));
  expect(0, {"runs", "delete", "1", "2"});
  const json runs = parsed({"runs"}).at("runs");
  REQUIRE(runs.size() == 1);
  expect(0, {"show", "3"});
  expect(2, {"show", "1"});
}

TEST_CASE_METHOD(
    Sandbox,
    "the help groups at most twenty commands, and that of a command is free of the parser's remarks") {
  const std::string help = call({"--help"}).out;
  std::size_t commands = 0;
  std::size_t at = 0;
  for (const std::string group : {"Measure", "Look", "Compare", "Extend", "Cluster"}) {
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
  CHECK_THAT(help,
             HasAll({"5 not resolved", "benchctl COMMAND --help", "\n  NO_COLOR ", "\n  BENCHCTL_DB "}));
  const std::string run = call({"run", "--help"}).out;
  CHECK_THAT(run, HasAll({"--format {text,json,jsonl}=text", "Examples:", "--timeout SECONDS=120"}) &&
                      !ContainsSubstring("Excludes") && !ContainsSubstring("not resolved") &&
                      !ContainsSubstring("REQUIRED") && !ContainsSubstring("benchctl COMMAND"));
  CHECK_THAT(call({"submit", "--help"}).out,
             ContainsSubstring("--nodes N  ") && !ContainsSubstring("UINT"));
  CHECK_THAT(call({"compare", "--help"}).out, ContainsSubstring("5 not resolved"));
  CHECK_THAT(call({"collect", "--help"}).out, ContainsSubstring("6 something is missing"));
  for (const std::string command :
       {"show", "report", "export", "explain", "history", "runs", "submit", "reference"})
    CHECK_THAT(call({command, "--help"}).out, ContainsSubstring("Exit codes: 0 done, 2 usage error"));
}

TEST_CASE_METHOD(Sandbox, "the version names revision, compiler and plugins, whatever state they are in") {
  const std::string crashing = (test_plugin_directory().parent_path() / "crashing_plugins").string();
  const Outcome outcome = expect(0, {"--version", "--plugin-path", crashing});
  CHECK_THAT(outcome.out, StartsWith("benchctl " BENCHCTL_VERSION "\nrevision  "));
  CHECK(std::regex_search(outcome.out, std::regex("\nrevision  [A-Za-z0-9._-]+\n")));
  CHECK_THAT(outcome.out,
             HasAll({"\ncompiler  ", "  fake ",
                     "  bad_crash cannot be used: the worker died during 'describe': signal 6"}));
  CHECK(log().empty());  // no device was asked for
}
