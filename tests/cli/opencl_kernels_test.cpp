// Kernels of configs on OpenCL: examples, headers, texts in the config.
#include "support/catch.hpp"
#include "support/program.hpp"

#include <array>
#include <filesystem>

using namespace benchctl::test;
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
  const json rows = this->rows();
  CHECK(std::ranges::count_if(rows, [](const json& row) { return row.at("verified") == true; }) >= 20);
  for (const json& row : rows) CHECK((row.at("verified") == true || row.at("status") == "skipped"));
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
    for (const json& row : rows()) {
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
  const json rows = this->rows();
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

TEST_CASE_METHOD(OpenCl, "structures are passed as bytes, however the kernel declares them", "[serial]") {
  std::string text =
      "[experiment]\nname = 'own'\n[measure]\nsamples = 2\nmax_seconds = 5\n"
      "[workload.pick]\nparameters = { n = 64 }\n"
      "[[workload.pick.buffer]]\nname = 'p'\ntype = 'u8'\ncount = 'n * 8'\nrole = 'in'\n"
      "[[workload.pick.buffer]]\nname = 'y'\ntype = 'i32'\ncount = 'n'\nrole = 'out'\n"
      "[workload.pick.check]\nkernel = 'plain'\n"
      "[[sweep]]\nworkload = 'pick'\nbackends = ['opencl']\n";
  for (const auto& [name, declaration, type] :
       {std::array{"plain", "struct P { int x, y; };", "struct P"},
        std::array{"alias", "typedef struct { int x, y; } P;", "P"}, std::array{"vector", "", "int2"}}) {
    text += std::string("[[kernel]]\nname = '") + name +
            "'\nworkload = 'pick'\nbackend = 'opencl'\nentry = 'k'\nblock = 64\ngrid = 1\ntext = '" +
            declaration + " __kernel void k(__global const " + type +
            "* p, __global int* y) { y[get_global_id(0)] = p[get_global_id(0)].y; }'\n";
  }
  run(text);
  CHECK(rows().size() >= 3);
}

namespace {

const std::string add_text =
    "__kernel void add(__global const float* a, __global const float* b, __global float* c, int n) {\n"
    "  const int i = get_global_id(0);\n  if (i < n) c[i] = a[i] + b[i] + PLANTED;\n}\n";

std::string add_config(const std::string& source) {
  return config("[[kernel]]\nname = 'add'\nworkload = 'vector_add'\nbackend = 'opencl'\nsource = '" +
                    source + "'\nentry = 'add'\nblock = 64\ngrid = 'ceil_div(n, 64)'\n",
                "workload = 'vector_add'\nvariants = ['add']\nparameters = { n = 1000 }\n");
}

}  // namespace

TEST_CASE_METHOD(OpenCl, "a header that only the driver finds is refused, one that we find is watched",
                 "[serial]") {
  write("kern/add.cl", "#include \"h.h\"\n" + add_text);
  write("h.h", "#define PLANTED 0\n");  // in the working directory, where drivers look, too
  run(add_config("kern/add.cl"), 1);
  CHECK_THAT(rows_of("add").at(0).at("reason").get<std::string>(),
             ContainsSubstring("cannot be resolved: \"h.h\"; put it beside the kernel"));
  write("kern/h.h", "#define PLANTED 0\n");
  run(add_config("kern/add.cl"));
  write("kern/h.h", "#define PLANTED 1\n");
  run(add_config("kern/add.cl"), 1, {"--reuse"});
  CHECK(rows_of("add").at(0).at("status") == "wrong");
}

TEST_CASE_METHOD(OpenCl, "a driver's variable that changes the code has the kernel compiled anew",
                 "[serial]") {
  if (call({"list", "--devices"}).out.find("opencl:pocl") == std::string::npos) SKIP("no PoCL");
  write("add.cl", "#ifndef PLANTED\n#define PLANTED 0\n#endif\n" + add_text);
  const std::vector<std::string> on_pocl{"--device", "opencl:pocl:*", "--reuse"};
  run(add_config("add.cl"), 0, on_pocl);
  set("POCL_EXTRA_BUILD_FLAGS", "-DPLANTED=1");
  run(add_config("add.cl"), 1, on_pocl);
  CHECK(rows_of("add").at(0).at("status") == "wrong");
}
