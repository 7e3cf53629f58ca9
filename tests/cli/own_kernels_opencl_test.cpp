// Kernels that a config brings, compiled and run by OpenCL.
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>

using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

/// Skips the test where there is no OpenCL device.
void need_opencl(const Sandbox& sandbox) {
  const Outcome outcome =
      sandbox.call({"check", (user_kernel_directory() / "opencl.toml").string(), "--require", "opencl"});
  if (outcome.exit_code == 0) return;
  SKIP(outcome.err);
}

std::string config(const std::string& kernel, const std::string& sweep) {
  return "[experiment]\nname = 'own'\n[measure]\nsamples = 2\nmax_seconds = 5\n" + kernel +
         "[[sweep]]\nbackends = ['opencl']\n" + sweep;
}

}  // namespace

TEST_CASE("the example of kernels for OpenCL runs and every result is right", "[serial]") {
  const Sandbox sandbox(Plugins::all);
  need_opencl(sandbox);
  const Outcome run =
      sandbox.call({"run", (user_kernel_directory() / "opencl.toml").string(), "--set", "measure.samples=2",
                    "--set", "measure.max_seconds=20", "--timeout", "300"});
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.out, ContainsSubstring("search of sweep 'smoothing'"));
  const json rows = sandbox.exported().at("rows");
  CHECK(std::ranges::count_if(rows, [](const json& row) { return row.at("status") == "ok"; }) >= 20);
  for (const json& row : rows) CHECK((row.at("status") == "ok" || row.at("status") == "skipped"));
}

TEST_CASE("the lessons run: without barriers the result is wrong, as expected, and a kernel prints",
          "[serial]") {
  const Sandbox sandbox(Plugins::all);
  need_opencl(sandbox);
  const Outcome run = sandbox.call({"run", (user_kernel_directory() / "lessons.toml").string(), "--backend",
                                    "opencl", "--device", "opencl:*", "--timeout", "120"});
  INFO(run.err << run.out);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.out, ContainsSubstring("1 expected to be wrong"));
  const Outcome replay = sandbox.call({"replay", "*min_printed*", "--no-time"});
  CHECK(replay.exit_code == 0);
  CHECK_THAT(replay.out, ContainsSubstring("idx 7 active 8 cache") &&
                             ContainsSubstring("idx 0 active 1 cache") && !ContainsSubstring("idx 8"));
}

TEST_CASE("the exercises are wrong as they are, and their solutions are right", "[serial]") {
  const Sandbox sandbox(Plugins::all);
  need_opencl(sandbox);
  const auto folder = example_directory() / "exercises";
  const auto copy = sandbox.path() / "exercises";
  std::filesystem::copy(folder, copy);
  const std::vector<std::string> usual{
      "--set", "measure.samples=1", "--set", "measure.warmup_seconds=0", "--timeout", "120"};
  const auto graded = [&](int expected_exit, const std::string& expected_status) {
    std::vector<std::string> arguments{"run", (copy / "exercises.toml").string(), "--device", "opencl:*"};
    arguments.insert(arguments.end(), usual.begin(), usual.end());
    const Outcome run = sandbox.call(arguments);
    INFO(run.err << run.out);
    CHECK(run.exit_code == expected_exit);
    std::size_t points = 0;
    const json stored = sandbox.exported();
    for (const json& row : stored.at("rows")) {
      const std::string variant = row.at("variant");
      INFO(variant << ": " << row.value("reason", ""));
      const bool exercise =
          std::ranges::any_of(std::vector<std::string>{"max", "mean", "staging", "transpose", "product"},
                              [&](const std::string& name) { return name == variant; });
      CHECK(row.at("status") == (exercise ? expected_status : "ok"));
      points += exercise ? 1 : 0;
    }
    CHECK(points >= 10);
  };
  graded(1, "wrong");
  for (const auto& entry : std::filesystem::directory_iterator(folder / "solutions")) {
    std::filesystem::copy(entry.path(), copy / entry.path().filename(),
                          std::filesystem::copy_options::overwrite_existing);
  }
  graded(0, "ok");
}

TEST_CASE("branches give the same result in both orders", "[serial]") {
  const Sandbox sandbox(Plugins::all);
  need_opencl(sandbox);
  const Outcome run = sandbox.call(
      {"run", (example_directory() / "divergence" / "divergence.toml").string(), "--backend", "opencl",
       "--device", "opencl:*", "--set", "n=2048", "--set", "measure.samples=1", "--timeout", "120"});
  INFO(run.err << run.out);
  CHECK(run.exit_code == 0);
  const json stored = sandbox.exported();
  const json& rows = stored.at("rows");
  CHECK(rows.size() >= 8);
  for (const json& row : rows) {
    if (row.value("device", "").find("opencl:") != std::string::npos) CHECK(row.at("status") == "ok");
  }
}

TEST_CASE("a compile error shows the compiler's words with the user's file and line", "[serial]") {
  const Sandbox sandbox(Plugins::all);
  need_opencl(sandbox);
  static_cast<void>(sandbox.write(
      "broken.cl", "// a comment\n__kernel void go(__global float* c) {\n  c[0] = no_such_name;\n}\n"));
  const std::string file =
      sandbox
          .write("c.toml", config("[[kernel]]\nname = 'broken'\nworkload = 'matmul'\nbackend = "
                                  "'opencl'\nsource = 'broken.cl'\n"
                                  "entry = 'go'\nblock = 1\ngrid = 1\n",
                                  "workload = 'matmul'\nvariants = ['broken']\nparameters = { n = 4 }\n"))
          .string();
  CHECK(sandbox.call({"run", file}).exit_code == 1);
  const json row = sandbox.exported().at("rows").at(0);
  CHECK(row.at("status") == "compile_error");
  CHECK_THAT(row.at("reason").get<std::string>(),
             ContainsSubstring((sandbox.path() / "broken.cl").string()));
  CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring("broken.cl:3"));
  CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring("no_such_name"));
}

TEST_CASE("several launches with a scratch buffer are one execution", "[serial]") {
  const Sandbox sandbox(Plugins::all);
  need_opencl(sandbox);
  static_cast<void>(sandbox.write(
      "two.cl",
      "__kernel void add(__global const float* a, __global const float* b, __global float* t, int n) {\n"
      "  const int i = get_global_id(0); if (i < n) t[i] += a[i] + b[i];\n}\n"
      "__kernel void take(__global const float* t, __global float* c, int n) {\n"
      "  const int i = get_global_id(0); if (i < n) c[i] = t[i];\n}\n"));
  const std::string file =
      sandbox
          .write("c.toml", config("[[kernel]]\nname = 'two_step'\nworkload = 'vector_add'\nbackend = "
                                  "'opencl'\nsource = 'two.cl'\n"
                                  "block = 'GROUP'\ngrid = 'ceil_div(n, GROUP)'\ntunables = { GROUP = 16 "
                                  "}\ndtypes = ['f32']\n"
                                  "[[kernel.scratch]]\nname = 't'\ncount = 'n'\nzeroed = true\n"
                                  "[[kernel.launch]]\nentry = 'add'\narguments = ['a', 'b', 't', 'n']\n"
                                  "[[kernel.launch]]\nentry = 'take'\narguments = ['t', 'c', 'n']\n",
                                  "workload = 'vector_add'\nvariants = ['two_step']\nparameters = { n = "
                                  "[1000, 4096], GROUP = [8, 64] }\n"))
          .string();
  const Outcome run = sandbox.call({"run", file});
  INFO(run.err);
  CHECK(run.exit_code == 0);
  const json stored = sandbox.exported();
  CHECK(stored.at("rows").size() == 4);
  for (const json& row : stored.at("rows")) CHECK(row.at("status") == "ok");
}

TEST_CASE("a kernel whose text stands in the config: its compile error, and its replay", "[serial]") {
  const Sandbox sandbox(Plugins::all);
  need_opencl(sandbox);
  const auto with_text = [&](const std::string& body) {
    return sandbox
        .write("c.toml",
               config("[[kernel]]\nname = 'typed'\nworkload = 'vector_add'\nbackend = 'opencl'\n"
                      "entry = 'add'\nblock = 64\ngrid = 'ceil_div(n, 64)'\n"
                      "dtypes = ['f32']\ntext = \"\"\"\n// the first line\n"
                      "__kernel void add(__global const float* a, __global const float* b,\n"
                      "                  __global float* c, int n) {\n"
                      "  const int i = get_global_id(0);\n" +
                          body + "}\n\"\"\"\n",
                      "workload = 'vector_add'\nvariants = ['typed']\nparameters = { n = 1000 }\n"))
        .string();
  };
  const Outcome broken = sandbox.call({"run", with_text("  c[i] = undeclared;\n")});
  INFO(broken.err << broken.out);
  CHECK(broken.exit_code == 1);
  CHECK_THAT(broken.err,
             ContainsSubstring("/typed-") && ContainsSubstring(":5:") && ContainsSubstring("undeclared"));
  CHECK_THAT(broken.out, ContainsSubstring("/typed-") && ContainsSubstring(":5:") &&
                             ContainsSubstring("the compiler's whole log: `benchctl explain 1:0`"));
  CHECK_THAT(sandbox.call({"explain", "1:0"}).out, ContainsSubstring("undeclared"));
  const Outcome again = sandbox.call({"replay", "1:0"});
  INFO(again.err << again.out);
  CHECK(again.exit_code == 1);
  CHECK_THAT(again.out, ContainsSubstring("compile_error") && ContainsSubstring(":5:"));

  const Outcome right = sandbox.call({"run", with_text("  if (i < n) c[i] = a[i] + b[i];\n")});
  INFO(right.err << right.out);
  CHECK(right.exit_code == 0);
  // The text is that of the store: neither the config nor a file is there any more.
  std::filesystem::remove(sandbox.path() / "c.toml");
  const Outcome replay = sandbox.call({"replay", "2:0"});
  INFO(replay.err << replay.out);
  CHECK(replay.exit_code == 0);
  CHECK_THAT(replay.out, ContainsSubstring("ok"));
}
