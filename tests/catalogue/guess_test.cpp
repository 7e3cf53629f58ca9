// A right result cannot be guessed: whoever reads no input is wrong, whatever precision it declares. What
// is right comes from a variant of a plugin, on the conformance kit's problems and on those of defaults.
#include "catalogue/catalogue.hpp"
#include "conformance/subject.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

using namespace benchctl;
using namespace benchctl::conformance;

namespace {

using Bytes = std::vector<std::byte>;
using Outputs = std::map<std::size_t, Bytes>;  // by buffer

/// Larger problems take too long here.
constexpr std::uint64_t most_bytes = 70'000'000;
constexpr std::uint64_t many_bytes = 1'000'000;
constexpr std::size_t problems_of_workload = 16;

/// The result does not depend on the inputs: the problem is there to be computed right, or it is only
/// written.
bool is_known_beforehand(const ProblemSpec& problem) {
  const auto is = [&](const char* name, std::set<std::string> words) {
    const auto found = problem.parameters.find(name);
    return found != problem.parameters.end() && words.contains(std::get<std::string>(found->second));
  };
  if (is("values", {"nan", "infinity", "negative_infinity", "zeros"}) || is("probe", {"dram_write"}))
    return true;
  // Among many special numbers one is NaN; squares of denormals are zero, and adding to them changes
  // nothing.
  if (problem.workload == "reduce" && is("values", {"special"})) return true;
  if (problem.workload.starts_with("vec3") && is("values", {"denormal"})) return true;
  // A cycle of one word.
  return problem.workload == "latency" && problem.buffers.front().bytes() <= 8;
}

BufferReader reader_of(const Outputs& outputs) {
  return [&outputs](std::size_t index, std::uint64_t offset, std::span<std::byte> out) {
    std::ranges::copy(std::span(outputs.at(index)).subspan(offset, out.size()), out.begin());
  };
}

template <class T>
void average(std::span<const Bytes*> all, Bytes& out) {
  const std::span to(reinterpret_cast<T*>(out.data()), out.size() / sizeof(T));
  for (std::size_t i = 0; i < to.size(); ++i) {
    double sum = 0;
    for (const Bytes* one : all) sum += static_cast<double>(reinterpret_cast<const T*>(one->data())[i]);
    to[i] = static_cast<T>(sum / static_cast<double>(all.size()));
  }
}

/// One problem on a device, and what a right variant leaves for each seed.
class Oracle {
 public:
  Oracle(Subject& subject, const Case& one)
      : workload_(*Workloads::built_in().find(one.problem.workload)),
        problem_(one.problem),
        ready_(subject, one) {}

  Outputs right_for(std::uint64_t seed) {
    ProblemBuffers& buffers = ready_.buffers();
    buffers.draw_inputs(0, seed);
    buffers.restore_inouts(0);
    buffers.poison_outputs(0);
    ready_.prepared().run(0);
    Outputs outputs;
    for (std::size_t i = 0; i < problem_.buffers.size(); ++i) {
      if (problem_.buffers[i].role == BufferRole::in) continue;
      Bytes& bytes = outputs[i];
      bytes.resize(problem_.buffers[i].bytes());
      buffers.device().read(0, i, 0, bytes);
    }
    return outputs;
  }
  [[nodiscard]] Reference reference(std::uint64_t seed) const {
    return workload_.reference(problem_, seed);
  }
  [[nodiscard]] bool passes(const Outputs& outputs, std::string_view precision,
                            const Reference& reference) const {
    return workload_.check(problem_, precision, reference, reader_of(outputs)).ok;
  }
  [[nodiscard]] Outputs averages(const std::vector<Outputs>& all) const {
    Outputs result = all.front();
    for (auto& [buffer, bytes] : result) {
      std::vector<const Bytes*> parts;
      for (const Outputs& one : all) parts.push_back(&one.at(buffer));
      if (problem_.buffers[buffer].type == DType::f32) average<float>(parts, bytes);
      if (problem_.buffers[buffer].type == DType::f64) average<double>(parts, bytes);
    }
    return result;
  }

 private:
  const Workload& workload_;
  ProblemSpec problem_;
  Ready ready_;
};

void guess(Subject& subject, const Case& one) {
  Oracle oracle(subject, one);
  std::vector<Outputs> former;
  for (const std::uint64_t seed : {11, 12, 13}) former.push_back(oracle.right_for(seed));
  const Reference reference = oracle.reference(14);
  const Outputs right = oracle.right_for(14);
  Outputs zeros = right;
  for (auto& [buffer, bytes] : zeros) std::ranges::fill(bytes, std::byte{0});
  INFO(one.label());
  REQUIRE(oracle.passes(right, declared_precision(*one.variant, one.problem), reference));
  // The coarsest lets most through; where few bytes are compared, all are tried.
  std::vector<const char*> precisions{"bf16"};
  if (one.problem.bytes() < many_bytes) precisions.insert(precisions.end(), {"f64", "f32", "tf32", "f16"});
  for (const char* precision : precisions) {
    INFO("declared " << precision);
    CHECK_FALSE(oracle.passes(zeros, precision, reference));
    CHECK_FALSE(oracle.passes(former.front(), precision, reference));
    CHECK_FALSE(oracle.passes(oracle.averages(former), precision, reference));
  }
}

/// Evenly chosen.
std::vector<Case> some_of(std::vector<Case> cases) {
  std::vector<Case> result;
  const std::size_t count = std::min(cases.size(), problems_of_workload);
  for (std::size_t i = 0; i < count; ++i) result.push_back(std::move(cases[i * cases.size() / count]));
  return result;
}

/// Problems of each workload, each with the first variant that can run it, the workload's default among
/// them.
std::map<std::string, std::vector<Case>> cases_by_workload(Subject& subject) {
  std::map<std::string, std::vector<Case>> found;
  std::map<std::string, std::set<Parameters>> known;
  const Cases cases = cases_of(subject.entry(), subject.device(), true, test::conformance_directory());
  for (const Case& one : cases.runnable) {
    if (is_known_beforehand(one.problem)) continue;
    Parameters key = one.problem.parameters;
    key["layout"] = one.problem.layout;
    if (known[one.problem.workload].insert(key).second) found[one.problem.workload].push_back(one);
  }
  for (auto& [name, some] : found) {
    const ProblemSpec usual = *default_problem(*Workloads::built_in().find(name));
    // A variant that runs what has the same words: the probe, the operation.
    const auto like = std::ranges::find_if(some, [&](const Case& one) {
      return one.problem.layout == usual.layout &&
             std::ranges::all_of(usual.parameters, [&](const auto& entry) {
               return std::holds_alternative<std::int64_t>(entry.second) ||
                      one.problem.parameters.at(entry.first) == entry.second;
             });
    });
    const VariantInfo* variant = like != some.end() ? like->variant : nullptr;
    some = some_of(std::move(some));
    if (variant != nullptr && usual.bytes() <= most_bytes && !is_known_beforehand(usual)) {
      some.push_back({variant, usual, {}});
      for (const TunableInfo& tunable : variant->tunables)
        some.back().tunables[tunable.name] = tunable.default_value;
    }
  }
  return found;
}

}  // namespace

TEST_CASE("guess: without reading its input no kernel is right") {
  const std::string backend = GENERATE(as<std::string>{}, "cpu_avx", "opencl");
  const test::TemporaryDirectory folder;
  Task task;
  task.library = test::plugin_directory() / ("libbenchctl_" + backend + ".so");
  task.full = true;
  task.folder = folder.path();
  if (!std::filesystem::exists(task.library)) SKIP("this build has no plugin " << backend);
  Lane lane{backend, {}};
  {
    Subject probe(task);
    DeviceList list = probe.backend().devices();
    std::erase_if(list.devices, [](const DeviceInfo& device) { return device.type != DeviceType::cpu; });
    if (list.devices.empty()) SKIP("there is no processor for " << backend << ": " << list.unavailable);
    lane.device = list.devices.front();
  }
  task.lane = lane;
  Subject subject(task);
  static std::set<std::string> done;  // by the plugin before, too
  for (const auto& [workload, cases] : cases_by_workload(subject)) {
    if (!done.insert(workload).second) continue;
    for (const Case& one : cases) guess(subject, one);
  }
  if (backend == "opencl") {
    for (const auto& entry : std::filesystem::directory_iterator(test::conformance_directory()))
      CHECK(done.contains(entry.path().stem().string()));
  }
}
