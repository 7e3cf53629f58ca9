#include "catalogue/catalogue.hpp"

#include <cstdlib>

#include "support/catch.hpp"
#include "support/program.hpp"

namespace benchctl::test {

namespace fs = std::filesystem;

namespace {

fs::path config_of(const std::string& name) {
  return tree_root() / "libexec/benchctl/tests/catalogue" / (name + ".toml");
}

/// What may be said of a point that did not run.
bool is_about_the_machine(const std::string& reason) {
  return reason.starts_with("constraint") || reason.starts_with("device limit") ||
         reason.starts_with("unsupported") || reason.starts_with("where") ||
         reason.starts_with("preparing: ");  // what the plugin itself calls unsupported
}

/// Runs a config on a backend; tells which variants were right, or cannot run on this device.
std::set<std::string> right_variants(const Sandbox& sandbox, const fs::path& config,
                                     const std::string& backend) {
  std::set<std::string> settled;
  const Outcome outcome = sandbox.call({"run", config.string(), "--backend", backend, "--fresh"});
  INFO(outcome.err.substr(0, 4000));
  if (outcome.err.find("has no point for " + backend) != std::string::npos) return settled;
  CHECK((outcome.exit_code == 0 || outcome.exit_code == 6));  // 6: this machine rules all points out
  const nlohmann::json document = sandbox.exported();
  for (const nlohmann::json& row : document.at("rows")) {
    const std::string status = row.at("status");
    const std::string reason = row.at("reason");
    INFO(row.at("label").get<std::string>() << ": " << status << ": " << reason);
    if (status == "skipped") {
      CHECK(is_about_the_machine(reason));
      if (!reason.starts_with("unsupported")) continue;
    } else {
      CHECK((status == "ok" || status == "unstable"));
      if (status != "ok" && status != "unstable") continue;
    }
    settled.insert(row.at("variant").get<std::string>());
  }
  return settled;
}

nlohmann::json listed(const Sandbox& sandbox, std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), {"list", "--format", "json"});
  return nlohmann::json::parse(sandbox.call(arguments).out);
}

/// Without the scripted backend, whose kernels crash and hang on demand.
struct RealPlugins : Sandbox {
  RealPlugins() { set("BENCHCTL_PLUGIN_PATH", plugin_directory().string()); }
};

/// The variants that a backend has for a workload.
nlohmann::json variants_of(const nlohmann::json& list, const std::string& workload,
                           const std::string& backend) {
  nlohmann::json found = nlohmann::json::array();
  for (const nlohmann::json& entry : list.at("workloads")) {
    if (entry.at("name") != workload) continue;
    for (const nlohmann::json& variant : entry.at("variants")) {
      if (variant.at("backend") == backend) found.push_back(variant);
    }
  }
  return found;
}

}  // namespace

fs::path conformance_directory() { return tree_root() / "share/benchctl/conformance"; }

void check_cases(const std::string& workload) {
  const RealPlugins sandbox;
  const fs::path config = conformance_directory() / (workload + ".toml");
  const nlohmann::json list = listed(sandbox);
  const nlohmann::json devices = listed(sandbox, {"--devices"});
  bool any = false;
  for (const nlohmann::json& backend : devices.at("backends")) {
    const std::string name = backend.at("backend");
    const nlohmann::json variants = variants_of(list, workload, name);
    if (backend.at("devices").empty() || variants.empty()) continue;
    any = true;
    const auto settled = right_variants(sandbox, config, name);
    for (const nlohmann::json& variant : variants) {
      if (variant.value("wrong_on_purpose", false)) continue;
      INFO("variant " << variant.at("name") << " of " << name);
      CHECK(settled.contains(variant.at("name")));
    }
  }
  if (!any) SKIP("no backend for it has a device");
}

void check_tunables(const std::string& workload) {
  if (!fs::exists(config_of(workload))) SKIP("no tunables to go through");
  const RealPlugins sandbox;
  const nlohmann::json devices = listed(sandbox, {"--devices"});
  for (const nlohmann::json& backend : devices.at("backends")) {
    if (!backend.at("devices").empty()) right_variants(sandbox, config_of(workload), backend.at("backend"));
  }
}

void check_simulated(const std::string& workload) {
#ifdef BENCHCTL_SANITIZED
  SKIP("Oclgrind preloads itself, which a program with sanitizers does not bear");
#endif
  if (std::system("command -v oclgrind > /dev/null 2>&1") != 0) SKIP("oclgrind is not installed");
  const Sandbox sandbox(Plugins::all);
  const fs::path log = sandbox.path() / "oclgrind.log";
  const fs::path config = config_of(workload + "_small");
  if (!fs::exists(config)) SKIP("it would take a simulator hours");
  const Outcome outcome = sandbox.call_under(
      {"oclgrind", "--data-races", "--uninitialized", "--check-api", "--log", log.string()},
      {"run", config.string(), "--backend", "opencl", "--device", "opencl:oclgrind*", "--in-process",
       "--fresh"});
  INFO(outcome.err.substr(0, 4000));
  INFO(sandbox.read("oclgrind.log").substr(0, 4000));
  CHECK((outcome.exit_code == 0 || outcome.exit_code == 1));
  CHECK(sandbox.read("oclgrind.log").empty());
  std::size_t right = 0;
  const nlohmann::json document = sandbox.exported();
  for (const nlohmann::json& row : document.at("rows")) {
    INFO(row.at("label").get<std::string>() << ": " << row.at("reason").get<std::string>());
    const std::string status = row.at("status");
    // Outputs are judged; times of a simulator are none that an audit could believe.
    CHECK((status == "ok" || status == "unstable" || status == "skipped" || status == "implausible"));
    right += status == "skipped" ? 0 : 1;
  }
  CHECK(right > 0);
}

}  // namespace benchctl::test
