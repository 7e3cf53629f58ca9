// What every variant of the backends for GPUs says of itself: a digest of all that its description comes
// to, over the problems that variants are tried on and over points and devices drawn at random. Texts of
// expressions are not part of it, nor what people read.
#include <benchctl/digest.hpp>

#include "conformance/cases.hpp"
#include "expr/expression.hpp"
#include "golden/tables.hpp"
#include "model/json.hpp"
#include "support/golden.hpp"
#include "sweep/kernel_plan.hpp"
#include "sweep/limits.hpp"
#include "workloads/generator.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

using namespace benchctl;
using namespace benchctl::test;
using nlohmann::json;

namespace {

/// Choices that are drawn one after another, the same everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t stream) : stream_(1, stream) {}
  std::uint64_t below(std::uint64_t count) { return stream_.bits(next_++) % count; }
  template <class T>
  const T& of(const std::vector<T>& all) {
    return all[below(all.size())];
  }

 private:
  RandomStream stream_;
  std::uint64_t next_ = 0;
};

const std::vector<std::int64_t> sizes{
    1,     2,     3,     4,      5,      7,       8,       13,      15,      16,   17,   24,
    31,    32,    33,    48,     60,     64,      96,      100,     128,     250,  256,  257,
    384,   512,   640,   1000,   1001,   1024,    2048,    3000,    4096,    4099, 5000, 8192,
    10000, 16387, 65536, 100000, 262144, 1000003, 1048576, 4194304, 16777216};

DeviceInfo drawn_device(const VariantInfo& variant, Dice& dice) {
  DeviceInfo device;
  device.type = variant.device_types.empty() ? DeviceType::gpu : variant.device_types.front();
  if (dice.below(40) == 0) device.type = DeviceType::cpu;
  device.compute_units = dice.of(std::vector<std::uint32_t>{1, 2, 8, 16, 30, 78, 108, 132, 160});
  device.memory.warp = dice.of(std::vector<std::uint32_t>{0, 32, 64});
  const std::uint64_t mebibyte = std::uint64_t{1} << 20U;
  device.last_level_cache_bytes = dice.of(std::vector<std::uint64_t>{0, 1, 32, 50, 256}) * mebibyte;
  device.fp64 = device.fp16 = dice.below(40) != 0;
  if (dice.below(40) != 0) device.features = variant.features;
  device.limits.memory_bytes = dice.of(std::vector<std::uint64_t>{0, 8, 80}) * 1024 * mebibyte;
  device.limits.max_allocation_bytes = device.limits.memory_bytes / 4;
  device.limits.local_memory_bytes = dice.of(std::vector<std::uint64_t>{0, 32768, 49152, 101376, 232448});
  device.limits.max_block_threads = dice.of(std::vector<std::uint32_t>{0, 256, 1024, 4096});
  device.limits.max_grid = {2147483647, 65535, 65535};
  return device;
}

Parameters drawn_problem(const Workload& workload, const VariantInfo& variant, Dice& dice) {
  Parameters given;
  for (const ParameterInfo& parameter : workload.parameters()) {
    if (dice.below(4) == 0) continue;
    if (parameter.name == "dtype" && !variant.dtypes.empty() && dice.below(20) != 0) {
      given["dtype"] = std::string(to_string(dice.of(variant.dtypes)));
    } else if (parameter.is_text) {
      given[parameter.name] = dice.of(parameter.choices);
    } else {
      const auto size = static_cast<double>(dice.of(sizes));
      given[parameter.name] =
          static_cast<std::int64_t>(std::clamp(size, parameter.minimum, parameter.maximum));
    }
  }
  return given;
}

Parameters drawn_tunables(const VariantInfo& variant, Dice& dice) {
  Parameters tunables = defaults_of(variant);
  std::map<std::string, const TunableInfo*> all;
  for (const TunableInfo& tunable : variant.tunables) all[tunable.name] = &tunable;
  for (const auto& [name, known] : all) {
    const TunableInfo& tunable = *known;
    const auto* number = std::get_if<std::int64_t>(&tunable.default_value);
    const std::uint64_t way = dice.below(10);
    if (way < 4) continue;
    if (way < 9 && !tunable.values.empty()) {
      tunables[name] = dice.of(tunable.values);
    } else if (number != nullptr) {
      tunables[name] = dice.of(std::vector<std::int64_t>{*number * 2, *number / 2, *number + 1, 0, 1, 2, 3,
                                                         4, 5, 8, 16, 17, 32, 48, 64, 96, 128, 1024});
    }
  }
  return tunables;
}

/// One variant at one point of one device, as text.
class Described {
 public:
  Described(const VariantInfo& variant, const BackendEntry& backend, const DeviceInfo& device,
            const ProblemSpec& problem, const Parameters& tunables)
      : variant_(variant),
        problem_(problem),
        values_(kernel_values(problem.parameters, problem.layout, tunables, device_values(device))),
        reason_(ruled_out_by({*Workloads::built_in().find(variant.workload), backend, variant, device,
                              problem, tunables})) {}

  [[nodiscard]] bool is_ruled_out() const { return !reason_.empty(); }

  [[nodiscard]] std::string text(Dice& dice) const {
    if (is_ruled_out()) return reason() + '\n';
    if (!variant_.kernel) return "native\n";
    const KernelSpec& kernel = *variant_.kernel;
    const Parameters values = with_derived(kernel, values_);
    std::string text = or_error([&] { return plan_text(plan_kernel(kernel, values_, problem_, "")); });
    if (!kernel.effort.empty()) text += or_error([&] { return effort(kernel.effort, values); });
    for (int i = 0; i < 3; ++i) {
      const std::uint64_t thread = i == 0 ? dice.below(64) : dice.below(std::uint64_t{1} << 40U);
      std::multiset<std::string> accesses;
      for (const AccessSpec& access : variant_.access)
        accesses.insert(or_error([&] { return text_of(access, thread, values); }));
      for (const std::string& access : accesses) text += access;
    }
    return text + '\n';
  }

 private:
  /// Numbers beyond 2^53 are none.
  template <class Text>
  static std::string or_error(const Text& text) {
    try {
      return text();
    } catch (const ExpressionError&) {
      return " error";
    } catch (const KernelPlanError&) {
      return " error";
    }
  }

  static std::string effort(const std::string& expression, const Parameters& values) {
    const Value effort = parsed_expression(expression).evaluate(values);
    const auto* real = std::get_if<double>(&effort);
    return fmt::format(" effort {:.12g}",
                       real != nullptr ? *real : static_cast<double>(std::get<std::int64_t>(effort)));
  }

  /// Without texts of the description: what does not hold may be written in other ways.
  [[nodiscard]] std::string reason() const {
    if (reason_.starts_with("device limit"))
      return reason_.substr(0, std::min(reason_.find(" with "), reason_.find(", the device")));
    if (reason_.starts_with("unsupported: variant")) return reason_;
    return "ruled out";
  }

  /// Empty if the thread does not take part.
  [[nodiscard]] std::string text_of(const AccessSpec& access, std::uint64_t thread,
                                    Parameters values) const {
    std::array<std::uint64_t, 3> block{1, 1, 1};
    std::array<std::uint64_t, 3> grid{1, 1, 1};
    if (!access.threads.empty()) {
      block[0] = std::max<std::uint64_t>(1, parsed_expression(access.threads).count(values));
    } else {
      const LaunchSpec& launch = variant_.kernel->launches.at(access.launch);
      if (!parsed_expression(launch.when).holds(values)) return {};
      const LaunchShape shape = launch_shape(launch, values);
      block = shape.block;
      grid = shape.grid;
    }
    const std::uint64_t per_block = block[0] * block[1] * block[2];
    thread %= per_block * grid[0] * grid[1] * grid[2];
    const auto put = [&](const char* name, std::uint64_t number) {
      values[name] = static_cast<std::int64_t>(number);
    };
    const std::uint64_t t = thread % per_block;
    const std::uint64_t at = thread / per_block;
    put("i", thread);
    put("t", t);
    put("tx", t % block[0]);
    put("ty", t / block[0] % block[1]);
    put("tz", t / block[0] / block[1]);
    put("bx", at % grid[0]);
    put("by", at / grid[0] % grid[1]);
    put("bz", at / grid[0] / grid[1]);
    if (!parsed_expression(access.active).holds(values)) return {};
    return fmt::format(" {} {} {}: {} + {}, {} times by {}", to_string(access.kind),
                       to_string(access.space), access.space == AccessSpace::global ? access.operand : "",
                       parsed_expression(access.offset).count(values),
                       parsed_expression(access.bytes).count(values),
                       parsed_expression(access.times).count(values), per_block);
  }

  const VariantInfo& variant_;
  const ProblemSpec& problem_;
  Parameters values_;
  std::string reason_;
};

/// What does not depend on a point.
std::string fixed_part(const VariantInfo& variant) {
  json fixed = to_json(variant);
  for (const char* texts : {"doc", "require", "access", "kernel"}) fixed.erase(texts);
  std::map<std::string, json> tunables;
  for (json& tunable : fixed["tunables"]) {
    tunable.erase("doc");
    tunable.erase("require");
    tunables[tunable.at("name").get<std::string>()] = tunable;
  }
  fixed["tunables"] = tunables;
  return digest_text(one_line(fixed)).substr(0, 16);
}

class Digest {
 public:
  explicit Digest(const BackendEntry& backend) : backend_(backend) {}

  void add(const VariantInfo& variant, const DeviceInfo& device, const ProblemSpec& problem,
           const Parameters& tunables, Dice& dice) {
    const Described described(variant, backend_, device, problem, tunables);
    planned_ += described.is_ruled_out() ? 0 : 1;
    digest_ = digest_text(digest_ + described.text(dice));
  }
  [[nodiscard]] std::string text() const { return fmt::format("{} of {} planned", digest_, planned_); }

 private:
  const BackendEntry& backend_;
  std::string digest_;
  std::size_t planned_ = 0;
};

std::string line_of(const VariantInfo& variant, const BackendEntry& backend, std::size_t points) {
  const Workload& workload = *Workloads::built_in().find(variant.workload);
  Dice dice(7);
  Digest tried(backend);
  static std::map<std::string, std::vector<ProblemSpec>> problems;
  if (!problems.contains(variant.workload))
    problems[variant.workload] =
        conformance::problems_of(workload, false, tree_root() / "share/benchctl/conformance");
  for (const ProblemSpec& problem : problems.at(variant.workload))
    tried.add(variant, drawn_device(variant, dice), problem, drawn_tunables(variant, dice), dice);
  Digest drawn(backend);
  for (std::size_t i = 0; i < points; ++i) {
    const DeviceInfo device = drawn_device(variant, dice);
    const Parameters given = drawn_problem(workload, variant, dice);
    const Parameters tunables = drawn_tunables(variant, dice);
    const std::vector<std::string> layouts(workload.layouts().begin(), workload.layouts().end());
    const std::string layout = layouts.empty() ? "" : dice.of(layouts);
    try {
      const ProblemSpec problem = workload.problem(complete_parameters(workload, given), layout);
      drawn.add(variant, device, problem, tunables, dice);
    } catch (const ProblemError&) {  // there is no such problem
    }
  }
  return fmt::format("{}/{}: {}, {}, {}\n", variant.workload, variant.name, fixed_part(variant),
                     tried.text(), drawn.text());
}

void check_variants(const std::string& file, std::size_t points) {
  const Catalogue tables = shipped_tables();
  for (const char* name : {"cuda", "opencl", "vulkan"}) {
    const BackendEntry& backend = *tables.find(name);
    std::map<std::string, std::string> lines;
    for (const VariantInfo& variant : backend.variants)
      lines[variant.workload + '/' + variant.name] = line_of(variant, backend, points);
    std::string text;
    for (const auto& [variant, line] : lines) text += line;
    check_golden(fmt::format("{}_{}.txt", file, name), text);
  }
}

}  // namespace

TEST_CASE("the kernels of all variants for GPUs, as planned for some points") {
  check_variants("variants", 200);
}

TEST_CASE("the kernels of all variants for GPUs, as planned for many points", "[full]") {
  check_variants("variants_full", 10'000);
}
