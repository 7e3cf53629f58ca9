// `benchctl selftest` on a device of clockwork: passes where times are true, and fails where they are not.
#include "support/catch.hpp"
#include "support/program.hpp"

using namespace benchctl::test;
using nlohmann::json;

namespace {

struct Performed {
  int exit_code = 0;
  json findings;
  std::string err;

  /// Outcomes of the lines whose case contains a text, each once.
  [[nodiscard]] std::set<std::string> outcomes(const std::string& text = "") const {
    std::set<std::string> all;
    for (const json& finding : findings) {
      if (finding.at("case").get<std::string>().find(text) != std::string::npos)
        all.insert(finding.at("outcome").get<std::string>());
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
  return {outcome.exit_code, json::parse(outcome.out).at("findings"), outcome.err};
}

const std::set<std::string> passed{"pass"};
const std::set<std::string> failed{"fail"};

}  // namespace

TEST_CASE("durations pass where times are true") {
  const Performed result = selftest(Clockwork(), "durations");
  INFO(result.findings.dump(2));
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
    CAPTURE(rate, result.findings.dump(2));
    CHECK(result.exit_code == 1);
    CHECK(result.outcomes("500.0 µs") == failed);
    CHECK(result.outcomes("5.000 ms") == failed);
    // The kernel's own clock is right, and it is compared with the host's.
    CHECK(result.outcomes("a second of the device") == passed);
  }
}

TEST_CASE("an error below 1 % passes, and below the timer's step where that is more") {
  const Performed result = selftest(Clockwork("CLOCKWORK_RATE", "1.005"), "durations");
  INFO(result.findings.dump(2));
  CHECK(result.exit_code == 0);
  CHECK(result.outcomes() == passed);
}

TEST_CASE("the gate passes where device times hold no launch latency, and fails where they do") {
  const Performed good = selftest(Clockwork(), "gate");
  INFO(good.findings.dump(2));
  CHECK(good.exit_code == 0);
  CHECK(good.outcomes() == passed);
  const Performed leaking = selftest(Clockwork("CLOCKWORK_LEAK_NS", "5000"), "gate");
  INFO(leaking.findings.dump(2));
  CHECK(leaking.exit_code == 1);
  CHECK(leaking.findings.at(0).at("outcome") == "fail");
  CHECK(leaking.findings.at(1).at("outcome") == "fail");
}

TEST_CASE("a driver that hands over one launch after the other fails the gate") {
  const Performed result = selftest(Clockwork("CLOCKWORK_HANDED_NS", "4800"), "gate");
  INFO(result.findings.dump(2));
  CHECK(result.exit_code == 1);
  CHECK(result.findings.at(0).at("outcome") == "pass");
  CHECK(result.findings.at(1).at("outcome") == "pass");
  CHECK(result.findings.at(2).at("outcome") == "fail");
}

TEST_CASE("a device that cannot be held back is no failure, and the reason is told") {
  const Performed result = selftest(Clockwork("CLOCKWORK_UNGATED", "1"), "gate");
  CHECK(result.exit_code == 0);
  CHECK(result.outcomes() == std::set<std::string>{"not possible here"});
  CHECK_THAT(result.findings.at(0).at("note").get<std::string>(),
             ContainsSubstring("the clockwork cannot be held"));
}

TEST_CASE("a device without a known cache is told from one that fails") {
  const Performed result = selftest(Clockwork(), "caches");
  CHECK(result.exit_code == 0);
  CHECK(result.outcomes() == std::set<std::string>{"not possible here"});
}

TEST_CASE("twins pass where they are alike, and fail where the second is slower") {
  const Performed alike = selftest(Clockwork(), "twins");
  INFO(alike.findings.dump(2));
  CHECK(alike.exit_code == 0);
  CHECK(alike.outcomes() == passed);
  CHECK(alike.findings.at(0).at("figures").at("comparisons") == 12);
  const Performed unlike = selftest(Clockwork("CLOCKWORK_TWIN", "0.02"), "twins");
  INFO(unlike.findings.dump(2));
  CHECK(unlike.exit_code == 1);
  CHECK(unlike.outcomes() == failed);
}

TEST_CASE("a planted slowdown passes when it is found, and fails when it is not there to be found") {
  const Performed found = selftest(Clockwork(), "slowdown");
  INFO(found.findings.dump(2));
  CHECK(found.exit_code == 0);
  CHECK(found.outcomes() == passed);
  const Performed missed = selftest(Clockwork("CLOCKWORK_STRETCH", "0"), "slowdown");
  INFO(missed.findings.dump(2));
  CHECK(missed.exit_code == 1);
  CHECK(missed.outcomes() == failed);
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
