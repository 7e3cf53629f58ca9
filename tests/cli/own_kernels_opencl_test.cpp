// Kernels that a config brings, compiled and run by OpenCL.
#include "support/has_all.hpp"
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>

using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

/// Skips the test where there is no OpenCL device.
struct OpenCl : Sandbox {
  OpenCl() : Sandbox(Plugins::all) {
    const Outcome outcome =
        call({"check", (user_kernel_directory() / "opencl.toml").string(), "--require", "opencl"});
    if (outcome.exit_code != 0) SKIP(outcome.err);
  }
};

std::string config(const std::string& kernel, const std::string& sweep) {
  return "[experiment]\nname = 'own'\n[measure]\nsamples = 2\nmax_seconds = 5\n" + kernel +
         "[[sweep]]\nbackends = ['opencl']\n" + sweep;
}

}  // namespace

TEST_CASE_METHOD(OpenCl, "the example of kernels for OpenCL runs and every result is right", "[serial]") {
  const Outcome run =
      expect(0, {"run", (user_kernel_directory() / "opencl.toml").string(), "--set", "measure.samples=2",
                 "--set", "measure.max_seconds=20", "--timeout", "300"});
  CHECK_THAT(run.out, ContainsSubstring("search of sweep 'smoothing'"));
  const json rows = exported().at("rows");
  CHECK(std::ranges::count_if(rows, [](const json& row) { return row.at("status") == "ok"; }) >= 20);
  for (const json& row : rows) CHECK((row.at("status") == "ok" || row.at("status") == "skipped"));
}

TEST_CASE_METHOD(OpenCl,
                 "the lessons run: without barriers the result is wrong, as expected, and a kernel prints",
                 "[serial]") {
  const Outcome run = expect(0, {"run", (user_kernel_directory() / "lessons.toml").string(), "--backend",
                                 "opencl", "--device", "opencl:*", "--timeout", "120"});
  CHECK_THAT(run.out, ContainsSubstring("1 expected to be wrong"));
  CHECK_THAT(expect(0, {"replay", "*min_printed*", "--no-time"}).out,
             HasAll({"idx 7 active 8 cache", "idx 0 active 1 cache"}) && !ContainsSubstring("idx 8"));
}

TEST_CASE_METHOD(OpenCl, "the exercises are wrong as they are, and their solutions are right", "[serial]") {
  const auto folder = example_directory() / "exercises";
  const auto copy = path() / "exercises";
  std::filesystem::copy(folder, copy);
  const auto graded = [&](int expected_exit, const std::string& expected_status) {
    expect(expected_exit, {"run", "exercises/exercises.toml", "--device", "opencl:*", "--set",
                           "measure.samples=1", "--set", "measure.warmup_seconds=0", "--timeout", "120"});
    std::size_t points = 0;
    const json stored = exported();
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

TEST_CASE_METHOD(OpenCl, "branches give the same result in both orders", "[serial]") {
  expect(0,
         {"run", (example_directory() / "divergence" / "divergence.toml").string(), "--backend", "opencl",
          "--device", "opencl:*", "--set", "n=2048", "--set", "measure.samples=1", "--timeout", "120"});
  const json stored = exported();
  const json& rows = stored.at("rows");
  CHECK(rows.size() >= 8);
  for (const json& row : rows) {
    if (row.value("device", "").find("opencl:") != std::string::npos) CHECK(row.at("status") == "ok");
  }
}

TEST_CASE_METHOD(OpenCl, "a kernel whose text stands in the config: its compile error, and its replay",
                 "[serial]") {
  const auto with_text = [&](const std::string& body) {
    return write("c.toml",
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
  const Outcome broken = expect(1, {"run", with_text("  c[i] = undeclared;\n")});
  CHECK_THAT(broken.err, HasAll({"/typed-", ":5:", "undeclared"}));
  CHECK_THAT(broken.out, HasAll({"/typed-", ":5:", "the compiler's whole log: `benchctl explain 1:0`"}));
  CHECK_THAT(call({"explain", "1:0"}).out, ContainsSubstring("undeclared"));
  CHECK_THAT(expect(1, {"replay", "1:0"}).out, HasAll({"compile_error", ":5:"}));

  expect(0, {"run", with_text("  if (i < n) c[i] = a[i] + b[i];\n")});
  // The text is that of the store: neither the config nor a file is there any more.
  std::filesystem::remove(path() / "c.toml");
  CHECK_THAT(expect(0, {"replay", "2:0"}).out, ContainsSubstring("ok"));
}
