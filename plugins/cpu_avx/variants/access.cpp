// Variants of workload `access`.
#include <benchctl/access_spec.hpp>

#include <array>

#include "kernels/access_kernels.hpp"
#include "range_executable.hpp"
#include "request.hpp"
#include "table.hpp"

namespace benchctl::cpu_avx {

namespace {

/// Parts start on a page, so that no two threads write to one line.
constexpr std::size_t access_granule = 4096;

struct NamedPattern {
  AccessPattern pattern;
  const char* name;
};

constexpr std::array<NamedPattern, 6> patterns_here{{{AccessPattern::linear, "linear"},
                                                     {AccessPattern::masked, "masked"},
                                                     {AccessPattern::scattered_warp, "scattered_warp"},
                                                     {AccessPattern::scattered_block, "scattered_block"},
                                                     {AccessPattern::scattered_array, "scattered_array"},
                                                     {AccessPattern::scattered_384, "scattered_384"}}};

template <class T>
const T& parameter_of(const ProblemSpec& spec, const char* name) {
  const auto found = spec.parameters.find(name);
  const auto* value = found != spec.parameters.end() ? std::get_if<T>(&found->second) : nullptr;
  if (value == nullptr) unsupported(spec.workload + " needs a parameter '" + name + "'");
  return *value;
}

std::size_t size_parameter(const ProblemSpec& spec, const char* name) {
  return static_cast<std::size_t>(parameter_of<std::int64_t>(spec, name));
}

AccessPattern pattern_of(const ProblemSpec& spec) {
  const std::string& name = parameter_of<std::string>(spec, "pattern");
  for (const NamedPattern& candidate : patterns_here) {
    if (candidate.name == name) return candidate.pattern;
  }
  unsupported("workload access has no pattern '" + name + "' here");
}

std::unique_ptr<Executable> make_access(const PrepareRequest& request, const ProblemSpec& spec,
                                        Machine& machine) {
  const std::size_t n = size_parameter(spec, "n");
  const std::size_t width = size_parameter(spec, "access_width");
  const std::size_t stride = size_parameter(spec, "stride");
  const std::size_t misalign = size_parameter(spec, "misalign");
  const AccessPattern pattern = pattern_of(spec);
  const DType type = width < 4 ? DType::u8 : DType::u32;
  const std::size_t read = misalign + n * (pattern == AccessPattern::scattered_384 ? 3 : stride);
  const std::size_t in = buffer_of(spec, "in", type, read * width / size_of(type));
  const std::size_t out = buffer_of(spec, "out", type, n * width / size_of(type));
  const std::string& name = request.variant->name;
  const auto body = [=](RangeExecutable::Buffers buffers, Range range, unsigned /*thread*/) {
    const AccessPart part{buffers[in].data(), buffers[out].data(), n,        stride,
                          misalign,           range.begin,         range.end};
    if (name == "avx512") return access_avx512(part);
    if (name == "avx2") return access_avx2(part);
    access_plain(part, pattern, width);
  };
  return std::make_unique<RangeExecutable>(machine, requested_threads(request, machine), n, access_granule,
                                           body, name == "plain" ? "x86-64" : name);
}

/// Counted by elements. As plugins/gpu/kernels/access.toml has it.
patterns::Accesses patterned_copy() {
  constexpr const char* element =
      "if(pattern == 'scattered_warp', i - i % 32 + (i % 32 * 13 + 7) % 32, "
      "if(pattern == 'scattered_block', i - i % 256 + (i % 256 * 101 + 37) % 256, "
      "if(pattern == 'scattered_array', i * 5184427 % n, "
      "if(pattern == 'scattered_384', i // 32 * 96 + i % 32 % 6 * 16 + i % 32 // 6, i))))";
  return patterns::by_threads(
      {patterns::access(AccessSpace::global, AccessKind::read, "in",
                        std::string("(misalign + stride * ") + element + ") * access_width", "access_width",
                        "i < n and (pattern != 'masked' or i % 4 != 3)"),
       patterns::access(AccessSpace::global, AccessKind::write, "out", "i * access_width", "access_width",
                        "i < n")},
      "n");
}

VariantInfo access_variant(const char* name, const char* doc, std::vector<std::string> features = {}) {
  VariantInfo info = cpu_variant("access", name, doc, {threads_tunable(0)}, std::move(features));
  info.dtypes.clear();
  info.access = patterned_copy();
  if (!info.features.empty()) info.require = {"access_width == 4", "pattern == 'linear'"};
  return info;
}

const Table::Registration access_registration([] {
  return std::vector<Table::Entry>{
      {access_variant("plain",
                      "one element at a time; beyond the caches bound by the cache lines that are touched"),
       &make_access},
      {access_variant("avx2", "256-bit loads, gathers where there is a stride; four-byte elements in a row",
                      {"avx2"}),
       &make_access},
      {access_variant("avx512",
                      "512-bit loads, gathers where there is a stride; four-byte elements in a row",
                      {"avx512f"}),
       &make_access}};
});

}  // namespace

}  // namespace benchctl::cpu_avx
