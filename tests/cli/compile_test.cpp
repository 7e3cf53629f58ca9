// `benchctl check --compile`.
#include "support/catch.hpp"
#include "support/program.hpp"

using namespace benchctl::test;
using nlohmann::json;

TEST_CASE("kernels are compiled without a device, and one that does not compile is a failure") {
  Sandbox sandbox(Plugins::all);
  const auto kernel = [](const std::string& name, const std::string& body) {
    return "[[kernel]]\nname = '" + name +
           "'\nworkload = 'vector_add'\nbackend = 'cuda'\nentry = 'add'\nblock = 64\ngrid = 'ceil_div(n, "
           "64)'\n"
           "tunables = { SCALE = 1 }\ndefines = ['SCALE']\n"
           "text = '__global__ void add(const float* a, const float* b, float* c, int n) { " +
           body + " }'\n";
  };
  sandbox.write("c.toml",
                "[experiment]\nname = 'own'\n" + kernel("mine", "c[0] = a[0] + SCALE * b[0];") +
                    kernel("broken", "this is no CUDA") +
                    "[[sweep]]\nworkload = 'vector_add'\nbackends = ['cuda']\nvariants = ['mine', "
                    "'broken']\nparameters = { n = [1000, 2000], SCALE = [2, 3] }\n");
  if (const Outcome plain = sandbox.call({"check", "c.toml", "--backend", "cuda"}); plain.exit_code != 0)
    SKIP(plain.err);
  const Outcome text = sandbox.call({"check", "c.toml", "--compile", "--arch", "sm_80"});
  if (text.out.find("install the CUDA Toolkit") != std::string::npos) SKIP(text.out);
  CHECK(text.exit_code == 1);
  CHECK_THAT(text.out,
             HasAll({"registers", "vector_add/mine SCALE=2", "sm_80", "compile_error", "this is no CUDA"}));
  const json rows = sandbox.parsed({"check", "c.toml", "--compile", "--arch", "sm_80"}, 1).at("compiled");
  CHECK(rows.size() == 4);  // both sizes have the same code
  std::size_t right = 0;
  for (const json& row : rows) {
    if (row.at("status") != "ok") continue;
    ++right;
    CHECK(row.at("resources").at("registers") > 0);
    CHECK_THAT(row.at("log").get<std::string>(), ContainsSubstring("_Z3addPKfS0_Pfi"));
  }
  CHECK(right == 2);
  CHECK_THAT(
      sandbox.expect(0, {"check", "c.toml", "--compile", "--arch", "sm_80", "--filter", "*mine*SCALE=2*"})
          .out,
      ContainsSubstring("Used "));
  CHECK_THAT(sandbox.expect(2, {"check", "c.toml", "--arch", "sm_80"}).err, ContainsSubstring("--compile"));
}
