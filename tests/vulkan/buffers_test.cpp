// Kernels reach their buffers bound or by address, with right results either way, on whatever device there
// is.
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <array>
#include <map>
#include <set>

using namespace benchctl;
using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A workload with the lines of its sweep.
struct Family {
  const char* workload;
  const char* lines;
};

/// Small problems of every family; few lengths are multiples of a pack.
constexpr std::array families{
    Family{"vector_add", "[sweep.parameters]\nn = [4099]\ndtype = ['f64']\n"},
    Family{"copy", "variants = ['plain', 'vectorized']\n[sweep.parameters]\nn = [4099]\n"},
    Family{"transpose", "[sweep.parameters]\nrows = [36]\ncolumns = [20]\ntile = [32]\n"},
    Family{"vec3_map", "[sweep.parameters]\nn = [1027]\nlayout = ['aos12', 'aos16']\n"},
    Family{"vec3_norm2", "[sweep.parameters]\nn = [1027]\nlayout = ['aos12', 'aos16']\n"},
    Family{"reduce", "[sweep.parameters]\nn = [4099]\nop = ['dot']\n"},
    Family{"matmul", "variants = ['naive', 'tiled', 'tiled_as_published']\n[sweep.parameters]\nn = [20]\n"},
    Family{"matmul",
           "variants = ['register_tiled']\n[sweep.parameters]\nn = [30, 32]\ntile_m = [32]\ntile_n = [32]\n"
           "thread_m = [4]\nthread_n = [4]\n"},
    Family{"access", "[sweep.parameters]\nn = [1003]\naccess_width = [1]\n"},
    Family{"shared_stride", "[sweep.parameters]\nn = [257]\nrounds = [33]\n"},
    Family{"bank_conflicts", "[sweep.parameters]\nblocks = [3]\n"},
    Family{"constant_broadcast", "variants = ['global']\n[sweep.parameters]\nn = [257]\nrounds = [3]\n"},
    Family{"latency", "[sweep.parameters]\nbytes = [4096]\nsteps = [17]\n"},
    Family{"peaks",
           "[sweep.parameters]\nbytes = [65540]\n"
           "rounds = [7]\nprobe = ['dram_read', 'dram_write', 'dram_copy', 'dram_triad', 'shared']\n"},
    Family{"peaks", "variants = ['launch']\n[sweep.parameters]\nprobe = ['launch']\n"}};

/// One sample of each of them, and of every variant, both ways.
std::string both_ways() {
  std::string text =
      "[experiment]\nname = 'families'\nroofs = 'none'\n[measure]\nsamples = 1\nmax_seconds = 20.0\n"
      "warmup_seconds = 0.0\n";
  for (std::size_t i = 0; i < families.size(); ++i) {
    text += "[[sweep]]\nname = 'family_" + std::to_string(i) + "'\nworkload = '" + families[i].workload +
            "'\n" + families[i].lines + "buffers = ['bound', 'address']\n";
  }
  return text;
}

bool has_vulkan(const Sandbox& sandbox) {
  const nlohmann::json all = nlohmann::json::parse(sandbox.call({"devices", "--format", "json"}).out);
  for (const nlohmann::json& backend : all.at("backends")) {
    if (backend.at("backend") == "vulkan") return !backend.at("devices").empty();
  }
  return false;
}

}  // namespace

TEST_CASE("every kernel family is right with buffers bound and by address") {
  const Sandbox sandbox;
  if (!has_vulkan(sandbox)) SKIP("there is no Vulkan device");
  const auto config = sandbox.write("families.toml", both_ways());
  const Outcome outcome = sandbox.call({"run", config.string(), "--backend", "vulkan"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  std::map<std::string, std::set<std::string>> ran;
  const nlohmann::json rows = sandbox.exported().at("rows");
  for (const nlohmann::json& row : rows) {
    INFO(row.at("label").get<std::string>() << ": " << row.at("reason").get<std::string>());
    if (row.at("status") == "skipped") continue;
    CHECK((row.at("status") == "ok" || row.at("status") == "unstable"));
    ran[row.at("tunables").at("buffers")].insert(row.at("workload").get<std::string>() + "/" +
                                                 row.at("variant").get<std::string>());
  }
  CHECK(ran["address"].size() > 35);
  CHECK(ran["bound"] == ran["address"]);
}

TEST_CASE("a device without addresses has a reason in the rows that ask for them") {
  const std::filesystem::path loader = tree_root() / "libexec/benchctl/tests/faulty_vulkan";
  Sandbox sandbox;
  if (!has_vulkan(sandbox)) SKIP("there is no Vulkan device");
  if (!std::filesystem::exists(loader)) SKIP("there is no loader to put another one in front of");
  sandbox.set("LD_LIBRARY_PATH", loader.string());
  sandbox.set("BENCHCTL_TEST_VULKAN_FAULT", "VK_KHR_buffer_device_address");
  const auto config = sandbox.write(
      "two.toml",
      "[experiment]\nname = 'two'\nroofs = 'none'\n[measure]\nsamples = 1\nmax_seconds = 20.0\n"
      "[[sweep]]\nname = 'copies'\nworkload = 'copy'\nvariants = ['plain']\n[sweep.parameters]\n"
      "n = [1000]\nbuffers = ['bound', 'address']\n");
  const Outcome outcome = sandbox.call({"run", config.string(), "--backend", "vulkan"});
  INFO(outcome.err);
  const nlohmann::json rows = sandbox.exported().at("rows");
  REQUIRE(rows.size() == 2);
  for (const nlohmann::json& row : rows) {
    INFO(row.dump());
    if (row.at("tunables").at("buffers") == "bound") {
      CHECK(row.at("status") == "ok");
    } else {
      CHECK(row.at("status") == "skipped");
      CHECK_THAT(row.at("reason").get<std::string>(),
                 ContainsSubstring("bufferDeviceAddress") && ContainsSubstring("\"bound\""));
    }
  }
}
