// Elements of every type, from end to end: filled, judged, dumped, and compared with files.
#include "support/catch.hpp"
#include "support/program.hpp"
#include "workloads/values.hpp"

#include <cmath>
#include <cstring>

using namespace benchctl::test;
using nlohmann::json;

namespace {

const std::string every_type =
    "'f32', 'f64', 'f16', 'bf16', 'i8', 'i16', 'i32', 'i64', 'u8', 'u16', 'u32', 'u64'";
/// Integers of all bits, and reals of all magnitudes, to be copied.
const std::string copy_workload =
    "[workload.typed]\nparameters = { n = 37, dtype = [" + every_type +
    "] }\n[[workload.typed.buffer]]\nname = 'x'\ntype = 'dtype'\ncount = 'n'\nrole = 'in'\nfill = 'wide'\n"
    "[[workload.typed.buffer]]\nname = 'y'\ntype = 'dtype'\ncount = 'n'\nrole = 'out'\n"
    "[workload.typed.check]\nkernel = 'trusted'\n";

/// The last digit of what NumPy calls a type.
std::size_t bytes_of_descr(const std::string& descr) {
  return static_cast<std::size_t>(descr.back() - '0');
}

struct EveryPlugin : Sandbox {
  EveryPlugin() : Sandbox(Plugins::all) {}
};

}  // namespace

TEST_CASE_METHOD(Sandbox, "elements of every type are filled, judged and found wrong by their last bit") {
  write("mine.k", "x\n");
  write("wrong.k", "wrong_results\n");
  run(own_config(copy_workload + fake_kernel("trusted", "typed") + fake_kernel("good", "typed") +
                     fake_kernel("wrong", "typed", "wrong.k"),
                 "workload = 'typed'\nvariants = ['good', 'wrong']\nparameters = { TILE = 1, dtype = [" +
                     every_type + "] }\n"),
      1);
  const json good = rows_of("good");
  REQUIRE(good.size() == 12);
  for (const json& row : good) {
    INFO(row.dump(2));
    CHECK(row.at("status") == "ok");
  }
  const json wrong = rows_of("wrong");
  REQUIRE(wrong.size() == 12);
  for (const json& row : wrong) {
    CHECK(row.at("status") == "wrong");
    CHECK_THAT(row.at("reason").get<std::string>(),
               ContainsSubstring("1 of 37 elements of y are wrong, the first is number 36"));
  }
}

TEST_CASE_METHOD(Sandbox, "a replay leaves buffers, truth and difference of every type for NumPy") {
  const auto [type, descr, truth] = GENERATE(table<std::string, std::string, std::string>(
      {{"f16", "<f2", "<f8"}, {"bf16", "<u2", "<f8"}, {"u8", "|u1", "<f8"}, {"i64", "<i8", "<i8"}}));
  CAPTURE(type);
  write("mine.k", "x\n");
  write("wrong.k", "wrong_results\n");
  run(own_config(
          copy_workload + fake_kernel("trusted", "typed") + fake_kernel("wrong", "typed", "wrong.k"),
          "workload = 'typed'\nvariants = ['wrong']\nparameters = { TILE = 1, dtype = '" + type + "' }\n"),
      1);
  expect(1, {"replay", "1:0", "--dump", (path() / "seen").string()});
  const auto elements = [&](const std::string& name, const std::string& of_type) {
    const std::string text = read("seen/" + name);
    const std::size_t end = text.find('\n') + 1;
    CHECK(end % 64 == 0);
    CHECK_THAT(text.substr(0, end), HasAll({"NUMPY", "{'descr': '" + of_type + "',", "'shape': (37,)"}));
    return text.substr(end);
  };
  const std::size_t bytes = bytes_of_descr(descr);
  const std::string x = elements("x.npy", descr);
  const std::string y = elements("y.npy", descr);
  REQUIRE(x.size() == 37 * bytes);
  CHECK(y.substr(0, 36 * bytes) == x.substr(0, 36 * bytes));
  CHECK((y[36 * bytes] ^ x[36 * bytes]) == 1);
  CHECK(elements("y.truth.npy", truth).size() == 37 * bytes_of_descr(truth));
  const std::string difference = elements("y.difference.npy", "<f8");
  std::vector<double> off(37);
  REQUIRE(difference.size() == off.size() * sizeof(double));
  std::memcpy(off.data(), difference.data(), difference.size());
  CHECK(std::ranges::count(off, 0.0) == 36);
  CHECK(off[36] != 0);
  if (type == "i64" || type == "u8") CHECK(std::abs(off[36]) == 1);
}

TEST_CASE_METHOD(Sandbox, "where the truth is a file, all sets of buffers and audits keep to its inputs") {
  write("mine.k", "x\n");
  write("wrong.k", "wrong_results\n");
  std::string truth(37 * sizeof(float), '\0');
  draw_bytes(benchctl::RandomStream(7, 0), benchctl::ValueKind::wide, benchctl::DType::f32, 0,
             std::as_writable_bytes(std::span(truth)));
  write("y.bin", truth);
  std::string workload = copy_workload;
  workload.replace(workload.find("kernel = 'trusted'"), 18, "files = { y = 'y.bin' }");
  const std::string text =
      workload + fake_kernel("good", "typed") + fake_kernel("wrong", "typed", "wrong.k");
  const auto with_seed = [&](int seed) {
    return own_config("seed = " + std::to_string(seed) + "\ncache = 'rotate'\n" + text,
                      "workload = 'typed'\nparameters = { TILE = 1 }\n");
  };
  run(with_seed(7), 1);
  const json good = rows_of("good").at(0);
  CHECK(good.at("status") == "ok");
  CHECK_THAT(good.at("notes").dump(), ContainsSubstring("its truth is a file"));
  CHECK(rows_of("wrong").at(0).at("status") == "wrong");
  // In another folder the contents of the files are what they were.
  const auto moved = path() / "moved";
  std::filesystem::create_directory(moved);
  for (const char* name : {"c.toml", "mine.k", "wrong.k", "y.bin"})
    std::filesystem::copy(path() / name, moved / name);
  expect(1, {"run", (moved / "c.toml").string(), "--reuse"});
  CHECK(rows_of("good").at(0).at("reused") == true);
  write("moved/y.bin", std::string(truth.size(), '\0'));
  expect(1, {"run", (moved / "c.toml").string(), "--reuse"});
  CHECK(rows_of("good").at(0).at("status") == "wrong");
  run(with_seed(8), 1);
  CHECK(rows_of("good").at(0).at("status") == "wrong");
}

TEST_CASE_METHOD(EveryPlugin, "on a device, too, elements of 8, 16 and 64 bits are wrong by their last bit",
                 "[serial]") {
  if (call({"list", "--devices"}).out.find("opencl:") == std::string::npos) SKIP("no OpenCL device");
  const auto copies = [](const std::string& name, const std::string& more) {
    return "[[kernel]]\nname = '" + name +
           "'\nworkload = 'typed'\nbackend = 'opencl'\nentry = 'copy'\nblock = 1\ngrid = 'n'\n"
           "defines = { T = \"if(sizeof(dtype) == 1, 'uchar', if(sizeof(dtype) == 2, 'ushort', 'ulong'))\" "
           "}\ntext = '''\n__kernel void copy(__global const T* x, __global T* y) {\n"
           "  const size_t i = get_global_id(0);\n  y[i] = x[i]" +
           more + ";\n}\n'''\n";
  };
  run("[experiment]\nname = 'typed'\n[measure]\nsamples = 2\nmax_seconds = 5\n" + copy_workload +
          copies("trusted", "") + copies("wrong", " ^ (i == 36)") +
          "[[sweep]]\nbackends = ['opencl']\nworkload = 'typed'\n"
          "parameters = { dtype = ['f16', 'i8', 'u64'] }\n",
      1);
  for (const json& row : rows_of("trusted")) CHECK(row.at("status") == "ok");
  const json wrong = rows_of("wrong");
  REQUIRE(wrong.size() >= 3);
  for (const json& row : wrong) {
    CHECK(row.at("status") == "wrong");
    CHECK_THAT(row.at("reason").get<std::string>(),
               ContainsSubstring("1 of 37 elements of y are wrong, the first is number 36"));
  }
}
