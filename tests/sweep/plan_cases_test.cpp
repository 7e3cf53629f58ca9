// Kernels and devices in tests/golden/expected/plan_cases.txt, told apart from usual ones: their plans, or
// why there is none.
#include "fixtures.hpp"
#include "model/json.hpp"
#include "model/json_forms.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/json_lines.hpp"
#include "sweep/kernel_plan.hpp"
#include "sweep/limits.hpp"
#include "sweep/point_plan.hpp"

#include <fmt/format.h>

using namespace benchctl;
using namespace benchctl::test;

namespace {

using Json = nlohmann::json;

/// A kernel of one launch and values for a problem of n = 100, m = 3.
Json usual_kernel() {
  KernelSpec spec;
  spec.launches.resize(1);
  spec.scratch = {{"other", DType::u8, "1", false}, {"partial", DType::f32, "n + m", true}};
  return patched(
      {{"kernel", written(spec)}, {"values", {{"n", 100}, {"m", 3}, {"dtype", "f64"}, {"tile", 16}}}},
      "kernel/launches/0/source = k.cu\n"
      "kernel/launches/0/entry = k\n"
      "kernel/launches/0/defines = {\"TILE\": \"tile * 2\"}\n"
      "kernel/launches/0/block = [\"tile\", \"m\", \"1\"]\n"
      "kernel/launches/0/grid = [\"ceil_div(n, tile)\", \"2\", \"m\"]\n"
      "kernel/launches/0/arguments = [\"out\", \"partial\", \"in\", \"count\"]\n");
}

Json plan_of(const Json& description) {
  const auto spec = read_as<KernelSpec>(description.at("kernel"));
  const Parameters values = parameters_from_json(description.at("values"));
  ProblemSpec problem = Workloads::built_in().find("grid")->problem(
      {{"n", std::int64_t{100}}, {"m", std::int64_t{3}}, {"dtype", "f64"}}, "aos");
  problem.scalars = {{"count", DType::i32, std::int64_t{100}}};
  std::size_t shapes = 0;
  visit_launches(spec, with_derived(spec, values), true, [&](const Occurrence&) { ++shapes; });
  const Candidate planned{"k", {}, plan_kernel(spec, values, problem, "/kernels")};
  Json plan = written(*planned.plan);
  plan["shapes"] = shapes;
  plan["timed"] = launches_of(planned);
  return plan;
}

std::vector<std::string> plan_or_fault(const std::string& text) {
  try {
    return differences(plan_of(patched(usual_kernel(), text)), plan_of(usual_kernel()));
  } catch (const KernelPlanError& error) {
    return {error.what()};
  }
}

/// A device without limits, a kernel of tile × tile threads and a problem of n = 100, m = 10.
Json usual_point() {
  VariantInfo tiled = variant("tiled", {tunable("tile", std::int64_t{16})});
  tiled.kernel = KernelSpec{{LaunchSpec{}}, {}};
  return patched({{"variant", to_json(tiled)},
                  {"device", to_json(lane("gpu", "0", DeviceType::gpu).device)},
                  {"problem", {{"n", 100}, {"m", 10}, {"dtype", "f32"}}},
                  {"layout", "aos"},
                  {"tile", 16}},
                 "variant/kernel/launches/0/source = tiled.cu\n"
                 "variant/kernel/launches/0/entry = tiled\n"
                 "variant/kernel/launches/0/block = [\"tile\", \"tile\", \"1\"]\n"
                 "variant/kernel/launches/0/grid = [\"ceil_div(n, tile)\", \"m\", \"1\"]\n"
                 "variant/kernel/launches/0/local_bytes = 2 * tile * tile * sizeof(dtype)\n");
}

std::string reason_of(const Json& point) {
  const Workload& grid = *Workloads::built_in().find("grid");
  const ProblemSpec problem = grid.problem(parameters_from_json(point.at("problem")), point.at("layout"));
  const BackendEntry backend{"gpu", {}, "/kernels", false};
  const VariantInfo tiled = variant_from_json(point.at("variant"));
  const DeviceInfo device = device_from_json(point.at("device"));
  return ruled_out_by(
      {grid, backend, tiled, device, problem, {{"tile", value_from_json(point.at("tile"))}}});
}

std::vector<std::string> answer(const std::string& text) {
  const std::size_t end = text.find('\n');
  const std::string rest = text.substr(end + 1);
  if (text.substr(0, end) == "@plan") return plan_or_fault(rest);
  const std::string reason = reason_of(patched(usual_point(), rest));
  return {reason.empty() ? "runs" : reason};
}

}  // namespace

TEST_CASE("kernels have plans, or are faulty or beyond what a device can") {
  check_cases("plan_cases.txt", answer);
}

TEST_CASE("sizes beyond 64 bits are still too large") {
  Json point = patched(usual_point(), "device/limits/memory_bytes = 1099511627776");
  const ScratchSpec large{"a", DType::f64, "9007199254740992", false};
  point["variant"]["kernel"]["scratch"] = written(std::vector<ScratchSpec>(513, large));
  CHECK(reason_of(point) == "device limit: buffers of 1.678e+07 TiB together, the device has 1 TiB");
}

TEST_CASE("sizes are told in the largest unit that they reach") {
  CHECK(bytes_text(0) == "0 bytes");
  CHECK(bytes_text(1023) == "1023 bytes");
  CHECK(bytes_text(1024) == "1 KiB");
  CHECK(bytes_text(1536) == "1.5 KiB");
  CHECK(bytes_text(std::uint64_t{48} << 20) == "48 MiB");
  CHECK(bytes_text(std::uint64_t{80} << 30) == "80 GiB");
  CHECK(bytes_text(std::uint64_t{2048} << 40) == "2048 TiB");
}
