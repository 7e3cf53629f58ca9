// What a worker's session does with the scripted plugin in this process, asked as the engine asks it, and
// what is kept of its replies.
#include "engine/host.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "support/scripted_channel.hpp"
#include "worker/lane_worker.hpp"

#include <limits>
#include <nlohmann/json.hpp>

using namespace benchctl;
using Catch::Matchers::Equals;
using nlohmann::json;

namespace {

/// A product of 8 by 8 on the scripted plugin's device, with its reference.
struct Machine {
  PluginHost host = PluginHost::load({test::test_plugin_directory()});
  Catalogue catalogue = make_catalogue(loaded_plugins(host));
  const BackendEntry& backend = *catalogue.find("fake");
  std::vector<double> samples;  ///< in place of the plugin's own
  test::ScriptedFactory factory{host, [this] {
                                  return [this](Verb verb, const json&, const auto& pass) {
                                    json answer = pass();
                                    if (verb == verbs::Sample::verb && !samples.empty())
                                      answer["block"]["ns"] = samples;
                                    return answer;
                                  };
                                }};
  LaneTable lanes = probe_lanes(loaded_plugins(host), factory, {"fake"}, 10);
  LaneWorker worker{lanes[0].lanes.at(0), backend, factory, {}, 10};
  test::TemporaryDirectory folder;
  const Workload& matmul = *Workloads::built_in().find("matmul");
  ProblemSpec problem = matmul.problem(complete_parameters(matmul, {{"n", std::int64_t{8}}}), "");

  Machine() {
    const verbs::StatedProblem stated{"matmul", {}, problem.parameters, {}};
    const std::filesystem::path reference = folder.path() / "reference";
    worker.ask(verbs::Reference{stated, 1, reference});
    worker.ask(verbs::Problem{.id = 1, .stated = stated, .seeds = {1}, .references = {reference}});
  }
  void prepare(const std::string& name) {
    const VariantInfo& variant = *backend.find_variant("matmul", name);
    const Parameters tunables = defaults_of(variant);
    worker.ask(verbs::Prepare{
        2, 1, "f32", candidates_of({matmul, backend, variant, worker.lane().device, problem, tunables}),
        "a point"});
  }
};

}  // namespace

TEST_CASE("outputs are judged although nothing was sampled since the kernel was prepared") {
  Machine machine;
  for (const bool right : {true, false}) {
    machine.prepare(right ? "steady" : "wrong");
    CHECK(machine.worker.ask(verbs::Check{2, false}).verification.ok == right);
  }
}

TEST_CASE("a device's clock may stand still while a point warms up; samples that count need a time") {
  Machine machine;
  machine.prepare("steady");
  SampleRequest request;
  request.count = 2;
  const auto sample = [&](bool counts) { return machine.worker.sample({2, request, {}}, counts).block.ns; };
  machine.samples = {5, 0};
  CHECK(sample(false) == machine.samples);
  CHECK_THROWS_WITH(sample(true), StartsWith("sample 2 of 2 is 0 ns: the device's clock did not move"));
  machine.samples = {5, 0.001};
  CHECK(sample(true) == machine.samples);
  for (const double odd : {-1.0, std::numeric_limits<double>::infinity()}) {
    machine.samples = {odd};
    for (const bool counts : {false, true})
      CHECK_THROWS_WITH(sample(counts), EndsWith("which is not a time"));
  }
  machine.samples = {1, 2, 3};
  CHECK_THROWS_WITH(sample(false), Equals("the plugin returned 3 samples instead of 2"));
}

TEST_CASE("in one process, too, what is thrown besides failures leaves nothing to go on with") {
  Machine machine;
  const auto is_sticky = [&](const json& arguments) {
    try {
      machine.factory.start({})->call(verbs::Probe::verb, arguments, std::chrono::duration<double>(10));
    } catch (const Failure& failure) {
      return failure.sticky();
    }
    throw std::logic_error("nothing was thrown");
  };
  CHECK(is_sticky(json::object()));
  CHECK_FALSE(is_sticky({{"backend", "none"}}));
}

TEST_CASE("what is free at the moment is not kept of a device") {
  DeviceInfo device;
  device.id = "0";
  device.properties = {{"memory_free", "17"},
                       {"global_free_memory_amd", "3"},
                       {"uuid", "u"},
                       {"lock_free_atomics", "all"},
                       {"memory_freedom", "2"}};
  const BackendLanes lanes = lanes_of("some", {{device}, ""});
  REQUIRE(lanes.lanes.size() == 1);
  CHECK(lanes.lanes.front().device.properties ==
        std::map<std::string, std::string, std::less<>>{
            {"lock_free_atomics", "all"}, {"memory_freedom", "2"}, {"uuid", "u"}});
}
