// `benchctl selftest` on a device of clockwork: passes where times are true, and fails where they are not.
#include "support/catch.hpp"
#include "support/program.hpp"

using namespace benchctl::test;
using nlohmann::json;

namespace {

struct Performed {
  int exit_code = 0;
  json results;
  std::string err;

  /// Outcomes of the lines whose case contains a text, each once.
  [[nodiscard]] std::set<std::string> outcomes(const std::string& text = "") const {
    std::set<std::string> all;
    for (const json& result : results) {
      if (result.at("case").get<std::string>().find(text) != std::string::npos)
        all.insert(result.at("outcome").get<std::string>());
    }
    return all;
  }
};

/// A sandbox in which the clockwork is the only plugin of the tests.
class Clockwork : public Sandbox {
 public:
  Clockwork() {
    set("BENCHCTL_PLUGIN_PATH", (tree_root() / "libexec/benchctl/tests/selftest_plugins").string());
  }
  /// With one of its settings.
  Clockwork(const std::string& name, const std::string& value) : Clockwork() { set(name, value); }
};

Performed selftest(const Sandbox& sandbox, const std::string& check) {
  const Outcome outcome =
      sandbox.call({"selftest", "--backend", "clockwork", "--check", check, "--format", "json"});
  INFO(outcome.err);
  return {outcome.exit_code, json::parse(outcome.out).at("results"), outcome.err};
}

const std::set<std::string> passed{"pass"};
const std::set<std::string> failed{"fail"};

}  // namespace

TEST_CASE("durations pass where times are true") {
  const Performed result = selftest(Clockwork(), "durations");
  INFO(result.results.dump(2));
  CHECK(result.exit_code == 0);
  CHECK(result.outcomes() == passed);
  CHECK(result.outcomes("5.000 ms") == passed);
  CHECK(result.outcomes("in batches") == passed);
  CHECK(result.outcomes("a second of the device") == passed);
  CHECK(result.outcomes("a further execution") == passed);
}

TEST_CASE("durations fail where the device's timer is wrong by 2 %") {
  for (const char* rate : {"1.02", "0.98"}) {
    const Performed result = selftest(Clockwork("CLOCKWORK_RATE", rate), "durations");
    CAPTURE(rate, result.results.dump(2));
    CHECK(result.exit_code == 1);
    CHECK(result.outcomes("500.0 µs") == failed);
    CHECK(result.outcomes("5.000 ms") == failed);
    // The kernel's own clock is right, and it is compared with the host's.
    CHECK(result.outcomes("a second of the device") == passed);
  }
}

TEST_CASE("checks pass where times are true, fail where they are not, or are not possible") {
  struct Case {
    const char* check;
    const char* setting;  // of the clockwork, and its value
    const char* value;
    const char* outcome;  // of every result
  };
  const std::vector<Case> cases{
      {"durations", "CLOCKWORK_RATE", "1.005", "pass"},        // by less than 1 %
      {"caches", "CLOCKWORK_RATE", "1", "not possible here"},  // it has no known cache
      {"twins", "CLOCKWORK_TWIN", "0", "pass"},
      {"twins", "CLOCKWORK_TWIN", "0.02", "fail"},
      {"slowdown", "CLOCKWORK_STRETCH", "1", "pass"},
      {"slowdown", "CLOCKWORK_STRETCH", "0", "fail"},  // nothing is there to be found
  };
  for (const Case& one : cases) {
    const Performed result = selftest(Clockwork(one.setting, one.value), one.check);
    CAPTURE(one.check, one.setting, one.value, result.results.dump(2));
    CHECK(result.exit_code == (std::string(one.outcome) == "fail" ? 1 : 0));
    CHECK(result.outcomes() == std::set<std::string>{one.outcome});
    if (std::string(one.check) == "twins")
      CHECK(result.results.at(0).at("figures").at("comparisons") == 12);
  }
}

TEST_CASE("the gate passes where device times hold no launch latency, and fails where they do") {
  const auto gate = [](const Clockwork& sandbox) {
    const Performed result = selftest(sandbox, "gate");
    INFO(result.results.dump(2));
    std::vector<std::string> outcomes;
    for (const json& result : result.results) outcomes.push_back(result.at("outcome"));
    CHECK(result.exit_code == (result.outcomes() == passed ? 0 : 1));
    return outcomes;
  };
  CHECK(gate(Clockwork()) == std::vector<std::string>{"pass", "pass", "pass"});
  const std::vector<std::string> leaking = gate(Clockwork("CLOCKWORK_LEAK_NS", "5000"));
  CHECK(leaking.at(0) == "fail");
  CHECK(leaking.at(1) == "fail");
  // A driver that hands over one launch after the other.
  CHECK(gate(Clockwork("CLOCKWORK_HANDED_NS", "4800")) == std::vector<std::string>{"pass", "pass", "fail"});
}

TEST_CASE("a device that cannot be held back is no failure, and the reason is told") {
  const Performed result = selftest(Clockwork("CLOCKWORK_UNGATED", "1"), "gate");
  CHECK(result.exit_code == 0);
  CHECK(result.outcomes() == std::set<std::string>{"not possible here"});
  CHECK_THAT(result.results.at(0).at("note").get<std::string>(),
             ContainsSubstring("the clockwork cannot be held"));
}

TEST_CASE("runs of the self-test are thrown away unless a store is named") {
  const Clockwork sandbox;
  CHECK(sandbox.call({"selftest", "--backend", "clockwork", "--check", "gate"}).exit_code == 0);
  CHECK_FALSE(std::filesystem::exists(sandbox.path() / "store.db"));
  const std::string kept = (sandbox.path() / "kept.db").string();
  CHECK(sandbox.call({"selftest", "--backend", "clockwork", "--check", "gate", "--db", kept}).exit_code ==
        0);
  CHECK_THAT(sandbox.call({"runs", "--db", kept}).out, ContainsSubstring("selftest_gate"));
}

TEST_CASE("the table for people names check, device, figures and the sum") {
  const Outcome outcome = Clockwork().call({"selftest", "--backend", "clockwork", "--check", "gate"});
  CHECK_THAT(outcome.out, ContainsSubstring("clockwork:0"));
  CHECK_THAT(outcome.out, ContainsSubstring("the empty kernel, one at a time"));
  CHECK_THAT(outcome.out, ContainsSubstring("3 passed, 0 failed, 0 not possible here"));
}

TEST_CASE("wrong names are told with exit code 2") {
  const Clockwork sandbox;
  CHECK(sandbox.call({"selftest", "--check", "durance"}).exit_code == 2);
  const Outcome outcome = sandbox.call({"selftest", "--backend", "nobody"});
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, ContainsSubstring("no such backend"));
}

TEST_CASE("the self-test passes on this machine's devices", "[full]") {
  Sandbox sandbox(Plugins::all);
  sandbox.set("BENCHCTL_PLUGIN_PATH", "");
  const Outcome outcome = sandbox.call({"selftest", "--full"});
  INFO(outcome.out);
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
}
