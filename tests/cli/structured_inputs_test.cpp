// Inputs with structure, on a device: rows of a sparse matrix, and one array in two layouts.
#include "support/catch.hpp"
#include "support/program.hpp"

using namespace benchctl::test;
using nlohmann::json;

namespace {

/// Skips the test where there is no OpenCL device.
struct StructuredInputs : Sandbox {
  StructuredInputs() : Sandbox(Plugins::all) {
    if (call({"list", "--devices"}).out.find("opencl:") == std::string::npos) SKIP("no OpenCL device");
  }
};

std::string input(const std::string& name, const std::string& type, const std::string& count,
                  const std::string& fill) {
  return "[[workload.w.buffer]]\nname = '" + name + "'\ntype = '" + type + "'\ncount = '" + count +
         "'\nrole = 'in'\nfill = " + fill + "\n";
}

/// A kernel of one line, which computes s for row i.
std::string row_kernel(const std::string& name, const std::string& types, const std::string& arguments,
                       const std::string& line) {
  return "[[kernel]]\nname = '" + name + "'\nworkload = 'w'\nbackend = 'opencl'\nentry = 'k'\nblock = 1\n" +
         "grid = 'n'\narguments = [" + arguments + "]\ntext = '__kernel void k(" + types +
         ", __global float* y) { const int i = get_global_id(0); float s = 0; " + line + " y[i] = s; }'\n";
}

std::string structured_config(const std::string& workload, const std::string& kernels) {
  return "[experiment]\nname = 'structured'\nroofs = 'none'\n[measure]\nsamples = 2\nmax_seconds = 5\n" +
         workload +
         "[[workload.w.buffer]]\nname = 'y'\ntype = 'f32'\ncount = 'n'\nrole = 'out'\n"
         "[workload.w.check]\nkernel = 'trusted'\nrelative = 1e-5\nabsolute = 1e-6\n" +
         kernels + "[[sweep]]\nbackends = ['opencl']\nworkload = 'w'\n";
}

}  // namespace

TEST_CASE_METHOD(StructuredInputs, "rows of a sparse matrix have lengths that a kernel must read",
                 "[serial]") {
  const std::string types = "__global const int* ptr, __global const int* col, __global const float* x";
  const std::string arguments = "'ptr', 'col', 'x', 'y'";
  run(structured_config("[workload.w]\nparameters = { n = 512, nnz = 8192 }\n" +
                            input("ptr", "i32", "n + 1", "{ offsets = [0, 'nnz'] }") +
                            input("col", "i32", "nnz", "{ integers = [0, 'n - 1'] }") +
                            input("x", "f32", "n", "{ integers = [0, 9] }"),
                        row_kernel("trusted", types, arguments,
                                   "for (int j = ptr[i]; j < ptr[i + 1]; ++j) s += x[col[j]];") +
                            row_kernel("backwards", types, arguments,
                                       "for (int j = ptr[i + 1]; j-- > ptr[i];) s += x[col[j]];") +
                            row_kernel("mean_rows", types, arguments,
                                       "for (int j = 16 * i; j < 16 * i + 16; ++j) s += x[col[j]];")),
      1);
  for (const json& row : rows_of("backwards")) CHECK(row.at("status") == "ok");
  for (const json& row : rows_of("mean_rows")) CHECK(row.at("status") == "wrong");
}

TEST_CASE_METHOD(StructuredInputs, "points as structures and as arrays are the same points", "[serial]") {
  std::string soa;
  for (const auto& [name, place] : {std::pair("x", 0), std::pair("y_", 1), std::pair("z", 2)})
    soa += input(name, "f32", "n", "{ like = 'points', layout = '3 * i + " + std::to_string(place) + "' }");
  const std::string types = "__global const float* x, __global const float* y_, __global const float* z";
  run(structured_config(
          "[workload.w]\nparameters = { n = 1024 }\n" + input("points", "f32", "3 * n", "'uniform'") + soa,
          row_kernel("trusted", "__global const float* p", "'points', 'y'",
                     "s = p[3 * i] + p[3 * i + 1] + p[3 * i + 2];") +
              row_kernel("arrays", types, "'x', 'y_', 'z', 'y'", "s = x[i] + y_[i] + z[i];") +
              row_kernel("wrong", types, "'x', 'y_', 'z', 'y'", "s = x[i] + x[i] + z[i];")),
      1);
  for (const json& row : rows_of("arrays")) CHECK(row.at("status") == "ok");
  for (const json& row : rows_of("wrong")) CHECK(row.at("status") == "wrong");
}
