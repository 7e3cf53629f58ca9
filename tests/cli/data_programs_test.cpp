// Programs of a config that make inputs and truths, or judge, from end to end on the fake backend, whose
// kernels copy.
#include "support/catch.hpp"
#include "support/program.hpp"

#include <set>
#include <sstream>

using namespace benchctl::test;
using nlohmann::json;

namespace {

/// Writes x and y = x, and notes the seed that it was asked with.
const std::string copying_program = R"(import json, random, struct, sys
request = json.load(sys.stdin)
with open(request["folder"] + "/asked.log", "a") as log:
    log.write(str(request["seed"]) + "\n")
random.seed(request["seed"])
n = request["parameters"]["n"]
numbers = struct.pack(f"{n}f", *[random.random() for _ in range(n)])
for buffer in request["buffers"]:
    with open(buffer["name"] + ".npy", "wb") as file:
        file.write(numbers)
)";

std::string made_workload(const std::string& words) {
  return "[workload.made]\nparameters = { n = 37 }\n[workload.made.data]\nrun = " + words +
         "\n[[workload.made.buffer]]\nname = 'x'\ntype = 'f32'\ncount = 'n'\nrole = 'in'\n"
         "[[workload.made.buffer]]\nname = 'y'\ntype = 'f32'\ncount = 'n'\nrole = 'out'\n"
         "[workload.made.check]\nrelative = 0.0\n";
}

struct DataProgramTest : Sandbox {
  DataProgramTest() {
    write("mine.k", "x\n");
    write("wrong.k", "wrong_results\n");
    write("gen.py", copying_program);
  }
  [[nodiscard]] static std::string config(const std::string& settings = {},
                                          const std::string& words = "['python3', 'gen.py']") {
    return own_config(settings + made_workload(words) + fake_kernel("good", "made") +
                          fake_kernel("wrong", "made", "wrong.k"),
                      "workload = 'made'\nparameters = { TILE = 1 }\n");
  }
  /// Seeds that the program was asked with, in turn.
  [[nodiscard]] std::vector<std::string> asked() const {
    std::vector<std::string> seeds;
    if (!std::filesystem::exists(path() / "asked.log")) return seeds;
    std::istringstream lines(read("asked.log"));
    for (std::string line; std::getline(lines, line);) seeds.push_back(line);
    return seeds;
  }
  [[nodiscard]] std::size_t asked_with(const std::string& seed) const {
    const std::vector<std::string> all = asked();
    return static_cast<std::size_t>(std::ranges::count(all, seed));
  }
  [[nodiscard]] std::string reason() const { return rows_of("good").at(0).at("reason"); }
};

}  // namespace

TEST_CASE_METHOD(DataProgramTest, "a data program runs only where that is allowed") {
  write("c.toml", config());
  expect(0, {"check", "c.toml"});
  expect(0, {"plan", "c.toml"});
  CHECK_THAT(expect(2, {"run", "c.toml"}).err,
             HasAll({"c.toml:8:7: error: [workload.made.data] runs a program", "--allow-programs"}));
  CHECK(asked().empty());
  expect(1, {"run", "c.toml", "--allow-programs"});
  CHECK_FALSE(asked().empty());
}

TEST_CASE_METHOD(DataProgramTest,
                 "what a data program writes are inputs and truth, of samples and of audits") {
  run(config(), 1, {"--allow-programs"});
  CHECK(rows_of("good").at(0).at("status") == "ok");
  CHECK(rows_of("wrong").at(0).at("status") == "wrong");
  const std::vector<std::string> seeds = asked();
  CHECK(std::set<std::string>(seeds.begin(), seeds.end()).size() >= 2);
  CHECK_THAT(expect(2, {"replay", "*good*"}).err, ContainsSubstring("--allow-programs permits it"));
  // The program of the run, not what lies there by now.
  write("gen.py", "raise SystemExit(1)\n");
  expect(0, {"replay", "*good*", "--no-time", "--allow-programs", "--dump", (path() / "seen").string()});
  CHECK_FALSE(read("seen/x.npy").empty());
}

TEST_CASE_METHOD(DataProgramTest,
                 "a data program is asked again for another seed, or when it was changed") {
  const auto again = [&](const std::string& seed) {
    run(config("seed = " + seed + "\n"), 1, {"--allow-programs", "--fresh"});
    CHECK(rows_of("good").at(0).at("status") == "ok");
  };
  again("7");
  again("7");
  CHECK(asked_with("7") == 1);
  again("8");
  CHECK(asked_with("8") == 1);
  write("gen.py", copying_program + "# changed\n");
  again("7");
  CHECK(asked_with("7") == 2);
}

TEST_CASE_METHOD(DataProgramTest,
                 "what fails in a data program is told with its place and its last words") {
  struct Case {
    std::string program;
    std::string told;
  };
  const Case given = GENERATE(values<Case>({
      {"import sys\nsys.exit('no such matrix')\n", "exit code 1; it last wrote: no such matrix"},
      {"open('x.npy', 'wb').write(bytes(4 * 37))\n", "y.npy for buffer y: it cannot be read"},
      {"for name in 'xy': open(name + '.npy', 'wb').write(bytes(4 * 36))\n", "it ends after 36 elements"},
      {"import os\nos.kill(os.getpid(), 9)\n", "signal 9"},
      {"open('large', 'wb').truncate(1 << 27)\nimport time\ntime.sleep(600)\n",
       "it wrote more than 64 MiB"},
  }));
  write("gen.py", given.program);
  run(config(), 1, {"--allow-programs"});
  CHECK(rows_of("good").at(0).at("status") == "launch_error");
  CHECK_THAT(reason(), HasAll({"no reference to verify against: c.toml:8: data program: ", given.told}));
}

TEST_CASE_METHOD(DataProgramTest, "a data program that takes too long, or is not installed, is told") {
  write("gen.py", "import time\ntime.sleep(600)\n");
  run(config(), 1, {"--allow-programs", "--timeout", "5"});
  CHECK_THAT(reason(), ContainsSubstring("it took longer than 5 s; --timeout gives it more"));
  run(config("", "['no_such_python', 'gen.py']"), 1, {"--allow-programs"});
  CHECK_THAT(reason(), ContainsSubstring("there is no program 'no_such_python' here: install it"));
}

TEST_CASE_METHOD(DataProgramTest, "a data program must be a file beside the config") {
  for (const auto& [words, message] :
       {std::pair("['python3', 'gem.py']", "names no file in the config's folder: there is no file"),
        std::pair("['python3', '../gen.py']", "lies outside the config's folder"),
        std::pair("['python3']", "names no file in the config's folder; expected"),
        std::pair("'gen.py'", "expected [\"python3\", \"gen.py\"]")}) {
    write("c.toml", config("", words));
    CHECK_THAT(expect(2, {"check", "c.toml"}).err, HasAll({"c.toml:8:7: error: ", message}));
  }
  std::string text = config();
  text.replace(text.find("relative = 0.0"), 14, "files = { y = 'mine.k' }");
  write("c.toml", text);
  CHECK_THAT(expect(2, {"check", "c.toml"}).err,
             ContainsSubstring("has 'files' and the workload has a data program"));
  text = own_config(
      "[workload.w]\n[[workload.w.buffer]]\nname = 'x'\ntype = 'f32'\ncount = 1\n"
      "role = 'inout'\nfill = 'data'\n[workload.w.check]\nkernel = 'k'\n" +
          fake_kernel("k", "w"),
      "workload = 'w'\n");
  write("c.toml", text);
  CHECK_THAT(expect(2, {"check", "c.toml"}).err,
             ContainsSubstring("is filled by a data program, but [workload.w] has none"));
}

namespace {

/// Right is y = x, or what `rule` says of the floats x and y.
std::string judging_program(const std::string& rule = "x == y") {
  return R"(import json, struct, sys
request = json.load(sys.stdin)
assert [b["name"] for b in request["buffers"]] == ["x", "y"]
def load(name):
    data = open(name + ".npy", "rb").read()
    return struct.unpack("<37f", data[-4 * 37:])
x, y = load("x"), load("y")
right = )" +
         rule + "\njson.dump({'right': right, 'reason': 'y is not x'}, open('answer.json', 'w'))\n";
}

std::string judged_config(const std::string& program = "['python3', 'judge.py']") {
  return own_config(
      "[workload.made]\nparameters = { n = 37 }\n"
      "[[workload.made.buffer]]\nname = 'x'\ntype = 'f32'\ncount = 'n'\nrole = 'in'\n"
      "[[workload.made.buffer]]\nname = 'y'\ntype = 'f32'\ncount = 'n'\nrole = 'out'\n"
      "[workload.made.check]\nprogram = " +
          program + "\n" + fake_kernel("good", "made") + fake_kernel("wrong", "made", "wrong.k"),
      "workload = 'made'\nparameters = { TILE = 1 }\n");
}

}  // namespace

TEST_CASE_METHOD(DataProgramTest, "a program of the config judges results, on all inputs, where allowed") {
  write("judge.py", judging_program());
  write("c.toml", judged_config());
  CHECK_THAT(expect(2, {"run", "c.toml"}).err,
             HasAll({"[workload.made.check] runs a program", "--allow-programs"}));
  expect(1, {"run", "c.toml", "--allow-programs"});
  CHECK(rows_of("good").at(0).at("status") == "ok");
  const json wrong = rows_of("wrong").at(0);
  CHECK(wrong.at("status") == "wrong");
  CHECK_THAT(wrong.at("reason").get<std::string>(), ContainsSubstring("the judge says: y is not x"));
  expect(0, {"replay", "*good*", "--no-time", "--allow-programs"});
}

TEST_CASE_METHOD(DataProgramTest, "a judge that does not do its part is told with its place") {
  struct Case {
    std::string program;
    std::string told;
  };
  const Case given = GENERATE(values<Case>({
      {"raise SystemExit('no scipy')\n", "judge: exit code 1; it last wrote: no scipy"},
      {"pass\n", "judge: it wrote no answer.json; expected {\"right\": true}"},
      {"open('answer.json', 'w').write('yes')\n", "judge: answer.json is something else"},
      {"open('answer.json', 'w').write('{\"right\": false}')\n", "judge: answer.json is something else"},
      {judging_program("list(y) == sorted(y) or x == y"),
       "the judge takes zeros in every output for right"},
  }));
  write("judge.py", given.program);
  run(judged_config(), 1, {"--allow-programs"});
  CHECK(rows_of("good").at(0).at("status") == "launch_error");
  CHECK_THAT(reason(), HasAll({"c.toml:", given.told}));
}

TEST_CASE_METHOD(DataProgramTest, "a judge stands alone in its check") {
  write("judge.py", judging_program());
  for (const auto& [more, message] :
       {std::pair("relative = 1e-3", "'relative' in [workload.made.check] means nothing beside 'program'"),
        std::pair("kernel = 'good'", "more than one of 'kernel', 'files' and 'program'")}) {
    write("c.toml", judged_config("['python3', 'judge.py']\n" + std::string(more)));
    CHECK_THAT(expect(2, {"check", "c.toml"}).err, ContainsSubstring(message));
  }
  write("c.toml", judged_config("'judge.py'"));
  CHECK_THAT(expect(2, {"check", "c.toml"}).err, ContainsSubstring("expected [\"python3\", \"gen.py\"]"));
}
