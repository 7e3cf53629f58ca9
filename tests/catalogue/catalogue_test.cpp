// Three tests per workload that has cases for the conformance kit; backends are those of the plugins that
// are loaded. So a new workload and a new plugin are tested without a line here.
#include <deque>
#include <filesystem>
#include <functional>

#include "catalogue/catalogue.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

using namespace benchctl::test;

namespace {

/// Whose cases take seconds on a device that software stands in for, too. Those of the others have the
/// label `full`; without it the conformance kit proves their results on processors, and Oclgrind on OpenCL.
bool is_quick(const std::string& workload) {
  static const std::set<std::string> quick = {"bank_conflicts", "spin", "transfer", "vector_add"};
  return quick.contains(workload);
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
      add(workload + " is right", is_quick(workload) ? "" : "[full]", [=] { check_cases(workload); });
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
