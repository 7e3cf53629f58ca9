#include "workloads/peak_probes.hpp"

#include <fmt/format.h>

#include "workloads/mma_numbers.hpp"
#include "workloads/parameters.hpp"

namespace benchctl {

bool is_fma(PeakProbe probe) { return probe == PeakProbe::fma_f32 || probe == PeakProbe::fma_f64; }

bool is_mma(PeakProbe probe) {
  return probe == PeakProbe::mma_tf32 || probe == PeakProbe::mma_bf16 || probe == PeakProbe::mma_f64;
}

DType real_type(PeakProbe probe) {
  return probe == PeakProbe::fma_f64 || probe == PeakProbe::mma_f64 ? DType::f64 : DType::f32;
}

PeakShape peak_shape(const Parameters& parameters) {
  const std::string& name = word_of(parameters, "probe");
  const auto probe = parse_enum<PeakProbe>(name);
  if (!probe) throw ProblemError(fmt::format("parameter 'probe' is '{}', which is not a probe", name));
  const auto found = parameters.find("bytes");
  const auto* bytes = found == parameters.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  const std::uint64_t size = size_of(real_type(*probe));
  if (bytes == nullptr || *bytes < 1 || static_cast<std::uint64_t>(*bytes) % size != 0) {
    throw ProblemError(fmt::format("parameter 'bytes' must be a positive multiple of {}", size));
  }
  PeakShape shape{*probe, static_cast<std::uint64_t>(*bytes), static_cast<std::uint64_t>(*bytes) / size,
                  integer_of(parameters, "rounds")};
  constexpr std::uint64_t most = 0x7fffffff;
  if (shape.n > most || shape.sums() > most) {
    throw ProblemError("kernels count elements in 32 bits: 'bytes' or 'rounds' is too large");
  }
  if (is_mma(*probe) && shape.rounds > mma_most_rounds) {
    throw ProblemError(fmt::format("probe '{}' stays exact for {} rounds at most", name, mma_most_rounds));
  }
  const bool repeats = is_fma(*probe) || is_mma(*probe) || *probe == PeakProbe::dram_read ||
                       *probe == PeakProbe::dram_read_apart || *probe == PeakProbe::cache_read ||
                       *probe == PeakProbe::shared;
  if (!repeats && shape.rounds != 1) throw ProblemError(fmt::format("probe '{}' has one round", name));
  if (*probe == PeakProbe::launch && shape.n != 1) throw ProblemError("probe 'launch' has 4 bytes");
  return shape;
}

}  // namespace benchctl
