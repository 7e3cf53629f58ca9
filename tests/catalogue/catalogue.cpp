#include "catalogue/catalogue.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <map>
#include <set>
#include <vector>

#include "support/program.hpp"

namespace benchctl::test {

namespace fs = std::filesystem;

namespace {

fs::path config_of(const std::string& name) {
  return tree_root() / "libexec/benchctl/tests/catalogue" / (name + ".toml");
}

/// The problems of a workload, which the conformance kit tries, too, and what this tree's variants need
/// beside: sweeps over their tunables.
std::vector<fs::path> configs_of(const std::string& workload) {
  std::vector<fs::path> configs{tree_root() / "share/benchctl/conformance" / (workload + ".toml")};
  if (fs::exists(config_of(workload))) configs.push_back(config_of(workload));
  return configs;
}

/// What may be said of a point that did not run.
bool is_about_the_machine(const std::string& reason) {
  return reason.starts_with("constraint") || reason.starts_with("device limit") ||
         reason.starts_with("unsupported") || reason.starts_with("where");
}

}  // namespace

void check_catalogue(const std::string& workload, const std::string& backend) {
  const Sandbox sandbox;
  std::map<std::string, std::size_t> right;
  std::set<std::string> impossible;
  std::vector<nlohmann::json> rows;
  for (const fs::path& config : configs_of(workload)) {
    const Outcome outcome = sandbox.call({"run", config.string(), "--backend", backend, "--fresh"});
    INFO(outcome.err.substr(0, 4000));
    if (outcome.err.find("has no point for " + backend) != std::string::npos) continue;
    CHECK(outcome.exit_code == 0);
    const nlohmann::json document = sandbox.exported();
    rows.insert(rows.end(), document.at("rows").begin(), document.at("rows").end());
  }
  for (const nlohmann::json& row : rows) {
    const std::string status = row.at("status");
    const std::string reason = row.at("reason");
    const std::string variant = row.at("variant");
    if (reason.starts_with("no device")) SKIP(reason);
    if (status == "skipped") {
      INFO(row.at("label").get<std::string>() << ": " << reason);
      CHECK(is_about_the_machine(reason));
      if (reason.starts_with("unsupported")) impossible.insert(variant);
      continue;
    }
    const bool done = status == "ok" || status == "unstable";
    if (done) ++right[variant];
    if (done) continue;
    INFO(row.at("label").get<std::string>() << ": " << status << ": " << reason);
    CHECK(status == "ok");
  }
  const nlohmann::json list = nlohmann::json::parse(sandbox.call({"list", "--format", "json"}).out);
  for (const nlohmann::json& entry : list.at("workloads")) {
    if (entry.at("name") != workload) continue;
    for (const nlohmann::json& variant : entry.at("variants")) {
      if (variant.at("backend") != backend) continue;
      const std::string name = variant.at("name");
      INFO("variant " << name);
      CHECK((right[name] > 0 || impossible.contains(name)));
    }
  }
}

void check_simulated(const std::string& workload) {
#ifdef BENCHCTL_SANITIZED
  SKIP("Oclgrind preloads itself, which a program with sanitizers does not bear");
#endif
  if (std::system("command -v oclgrind > /dev/null 2>&1") != 0) SKIP("oclgrind is not installed");
  Sandbox sandbox;
  const fs::path log = sandbox.path() / "oclgrind.log";
  const fs::path config = config_of(workload + "_small");
  const Outcome outcome = sandbox.call_under(
      {"oclgrind", "--data-races", "--uninitialized", "--check-api", "--log", log.string()},
      {"run", config.string(), "--backend", "opencl", "--device", "opencl:oclgrind*", "--in-process",
       "--fresh"});
  INFO(outcome.err.substr(0, 4000));
  INFO(sandbox.read("oclgrind.log").substr(0, 4000));
  CHECK(outcome.exit_code == 0);
  CHECK(sandbox.read("oclgrind.log").empty());
  std::size_t right = 0;
  const nlohmann::json document = sandbox.exported();
  for (const nlohmann::json& row : document.at("rows")) {
    INFO(row.at("label").get<std::string>() << ": " << row.at("reason").get<std::string>());
    const std::string status = row.at("status");
    CHECK((status == "ok" || status == "unstable" || status == "skipped"));
    right += status == "skipped" ? 0 : 1;
  }
  CHECK(right > 0);
}

}  // namespace benchctl::test
