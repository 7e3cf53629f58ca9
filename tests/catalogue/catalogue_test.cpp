// Four tests per workload that has cases for the conformance kit; backends are those of the plugins that
// are loaded. So a new workload and a new plugin are tested without a line here.
#include <catch2/catch_test_macros.hpp>

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "catalogue/catalogue.hpp"
#include "support/paths.hpp"

using namespace benchctl::test;

namespace {

Slow slow_for(const std::string& workload) {
  static const std::map<std::string, Slow> some = {{"access", Slow::when_compiled},
                                                   {"matmul", Slow::when_compiled},
                                                   {"reduce", Slow::when_compiled},
                                                   {"transpose", Slow::when_compiled},
                                                   {"constant_broadcast", Slow::on_software},
                                                   {"copy", Slow::on_software},
                                                   {"peaks", Slow::on_software},
                                                   {"vec3_map", Slow::on_software},
                                                   {"vec3_norm2", Slow::on_software}};
  const auto found = some.find(workload);
  return found == some.end() ? Slow::nowhere : found->second;
}

class Invoker final : public Catch::ITestInvoker {
 public:
  explicit Invoker(std::function<void()> test) : test_(std::move(test)) {}
  void invoke() const override { test_(); }

 private:
  std::function<void()> test_;
};

/// Registers tests whose names are known when the program starts.
class Registered {
 public:
  Registered() {
    std::set<std::string> workloads;
    for (const auto& entry : std::filesystem::directory_iterator(conformance_directory()))
      workloads.insert(entry.path().stem().string());
    for (const std::string& workload : workloads) {
      const Slow slow = slow_for(workload);
      add(workload + " is right", "", [=] { check_cases(workload, slow, false); });
      add(workload + " is right where it takes minutes", "[full]",
          [=] { check_cases(workload, slow, true); });
      add(workload + " is right with every tunable", "[full]", [=] { check_tunables(workload); });
      add(workload + " passes a simulator", "", [=] { check_simulated(workload); });
    }
  }

 private:
  void add(const std::string& name, const char* tags, std::function<void()> test) {
    const std::string& kept = names_.emplace_back(name);
    Catch::AutoReg(Catch::Detail::make_unique<Invoker>(std::move(test)), CATCH_INTERNAL_LINEINFO,
                   Catch::StringRef(), Catch::NameAndTags(kept, tags));
  }

  std::deque<std::string> names_;  // Catch keeps references
};

const Registered registered;

}  // namespace
