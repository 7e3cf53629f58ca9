// Variants of workload `peaks`.
#include <benchctl/rounding.hpp>

#include <algorithm>

#include "kernels/peaks_kernels.hpp"
#include "range_executable.hpp"
#include "request.hpp"
#include "table.hpp"

namespace benchctl::cpu_avx {

namespace {

/// The kernels of one instruction set.
struct Kernels {
  const char* variant;
  void (*fma_f32)(const PeaksFma<float>&) noexcept;
  void (*fma_f64)(const PeaksFma<double>&) noexcept;
  std::uint32_t (*sum)(const std::uint32_t*, std::size_t) noexcept;
  void (*write)(const PeaksWrite&, bool) noexcept;
  void (*copy)(const PeaksCopy&, bool) noexcept;
  void (*triad)(const PeaksTriad&, bool) noexcept;
};

const std::array<Kernels, 3> all_kernels{
    {{"plain", nullptr, nullptr, &peaks_sum_plain,
      [](const PeaksWrite& part, bool) noexcept { peaks_write_plain(part); },
      [](const PeaksCopy& part, bool) noexcept { peaks_copy_plain(part); },
      [](const PeaksTriad& part, bool) noexcept { peaks_triad_plain(part); }},
     {"avx2", &peaks_fma_avx2, &peaks_fma_avx2, &peaks_sum_avx2, &peaks_write_avx2, &peaks_copy_avx2,
      &peaks_triad_avx2},
     {"avx512", &peaks_fma_avx512, &peaks_fma_avx512, &peaks_sum_avx512, &peaks_write_avx512,
      &peaks_copy_avx512, &peaks_triad_avx512}}};

const Kernels& kernels_of(const PrepareRequest& request) {
  const auto found = std::ranges::find(all_kernels, request.variant->name, &Kernels::variant);
  if (found == all_kernels.end()) {
    unsupported("cpu_avx has no variant '" + request.variant->name + "' of peaks");
  }
  return *found;
}

/// Parts start on a page, so that no two threads write to one line.
constexpr std::size_t peaks_granule = 1024;
constexpr std::size_t segment_words = 16384;

/// The work, divided among threads.
struct Job {
  std::size_t count = 1;
  std::size_t granule = 1;
  RangeExecutable::Body body;
};

template <class T>
T real_of(const ProblemSpec& spec, std::string_view name) {
  const auto index = spec.scalar_index(name);
  const auto* value = index ? std::get_if<double>(&spec.scalars[*index].value) : nullptr;
  if (value == nullptr) unsupported("peaks needs a real scalar '" + std::string(name) + "'");
  return static_cast<T>(*value);
}

std::uint32_t word_of(const ProblemSpec& spec, std::string_view name) {
  const auto index = spec.scalar_index(name);
  const auto* value = index ? std::get_if<std::int64_t>(&spec.scalars[*index].value) : nullptr;
  if (value == nullptr) unsupported("peaks needs an integer scalar '" + std::string(name) + "'");
  return static_cast<std::uint32_t>(*value);
}

template <class T>
Job fma_job(void (*kernel)(const PeaksFma<T>&) noexcept, const ProblemSpec& spec) {
  constexpr DType type = sizeof(T) == 4 ? DType::f32 : DType::f64;
  if (kernel == nullptr) unsupported("plain x86-64 code has no fused multiply-add");
  const auto n = static_cast<std::size_t>(scalar_of(spec, "n"));
  const auto rounds = static_cast<std::size_t>(scalar_of(spec, "rounds"));
  const std::size_t start = buffer_of(spec, "start", type, 1024);
  const std::size_t out = buffer_of(spec, "out", type, n);
  const T scale = real_of<T>(spec, "scale");
  const T shift = real_of<T>(spec, "shift");
  return {n, peaks_granule, [=](RangeExecutable::Buffers buffers, Range range, unsigned) {
            kernel({elements<T>(buffers, start), elements<T>(buffers, out) + range.begin,
                    range.end - range.begin, rounds, scale, shift});
          }};
}

Job read_job(const Kernels& kernels, const ProblemSpec& spec) {
  const auto n = static_cast<std::size_t>(scalar_of(spec, "n"));
  const auto sums = static_cast<std::size_t>(scalar_of(spec, "sums"));
  const std::size_t in = buffer_of(spec, "in", DType::u32, n);
  const std::size_t out = buffer_of(spec, "out", DType::u32, sums);
  const std::size_t segments = ceil_div(n, segment_words);
  return {sums, 1, [=, sum = kernels.sum](RangeExecutable::Buffers buffers, Range range, unsigned) {
            const auto* words = elements<std::uint32_t>(buffers, in);
            auto* result = elements<std::uint32_t>(buffers, out);
            for (std::size_t i = range.begin; i < range.end; ++i) {
              const std::size_t first = i % segments * segment_words;
              result[i] = sum(words + first, std::min(segment_words, n - first));
            }
          }};
}

Job write_job(const Kernels& kernels, const ProblemSpec& spec, bool stream) {
  const auto n = static_cast<std::size_t>(scalar_of(spec, "n"));
  const std::size_t out = buffer_of(spec, "out", DType::u32, n);
  const std::uint32_t first = word_of(spec, "first");
  const std::uint32_t step = word_of(spec, "step");
  return {n, peaks_granule,
          [=, write = kernels.write](RangeExecutable::Buffers buffers, Range range, unsigned) {
            write({elements<std::uint32_t>(buffers, out) + range.begin, range.end - range.begin,
                   first + static_cast<std::uint32_t>(range.begin) * step, step},
                  stream);
          }};
}

Job copy_job(const Kernels& kernels, const ProblemSpec& spec, bool stream) {
  const auto n = static_cast<std::size_t>(scalar_of(spec, "n"));
  const std::size_t in = buffer_of(spec, "in", DType::u32, n);
  const std::size_t out = buffer_of(spec, "out", DType::u32, n);
  return {n, peaks_granule,
          [=, copy = kernels.copy](RangeExecutable::Buffers buffers, Range range, unsigned) {
            copy({elements<std::uint32_t>(buffers, in) + range.begin,
                  elements<std::uint32_t>(buffers, out) + range.begin, range.end - range.begin},
                 stream);
          }};
}

Job triad_job(const Kernels& kernels, const ProblemSpec& spec, bool stream) {
  const auto n = static_cast<std::size_t>(scalar_of(spec, "n"));
  const std::size_t a = buffer_of(spec, "a", DType::f32, n);
  const std::size_t b = buffer_of(spec, "b", DType::f32, n);
  const std::size_t c = buffer_of(spec, "c", DType::f32, n);
  return {n, peaks_granule,
          [=, triad = kernels.triad](RangeExecutable::Buffers buffers, Range range, unsigned) {
            triad({elements<float>(buffers, a) + range.begin, elements<float>(buffers, b) + range.begin,
                   elements<float>(buffers, c) + range.begin, range.end - range.begin},
                  stream);
          }};
}

/// All threads are woken; the first has the one word to do.
Job launch_job(const ProblemSpec& spec) {
  const std::size_t in = buffer_of(spec, "in", DType::u32, 1);
  const std::size_t out = buffer_of(spec, "out", DType::u32, 1);
  return {1, 1, [=](RangeExecutable::Buffers buffers, Range, unsigned) {
            *elements<std::uint32_t>(buffers, out) = *elements<std::uint32_t>(buffers, in) + 1;
          }};
}

Job job_of(const PrepareRequest& request, const ProblemSpec& spec) {
  const Kernels& kernels = kernels_of(request);
  const auto& probe = std::get<std::string>(spec.parameters.at("probe"));
  const bool stream = request.variant->name != "plain" && word_tunable(request, "store") == "streaming";
  if (probe == "fma_f32") return fma_job<float>(kernels.fma_f32, spec);
  if (probe == "fma_f64") return fma_job<double>(kernels.fma_f64, spec);
  if (probe == "dram_read" || probe == "cache_read") return read_job(kernels, spec);
  if (probe == "dram_write") return write_job(kernels, spec, stream);
  if (probe == "dram_copy") return copy_job(kernels, spec, stream);
  if (probe == "dram_triad") return triad_job(kernels, spec, stream);
  if (probe == "launch") return launch_job(spec);
  unsupported("a processor has no probe '" + probe + "'");
}

std::unique_ptr<Executable> make_peaks(const PrepareRequest& request, const ProblemSpec& spec,
                                       Machine& machine) {
  Job job = job_of(request, spec);
  const std::string& name = request.variant->name;
  return std::make_unique<RangeExecutable>(machine, requested_threads(request, machine), job.count,
                                           job.granule, std::move(job.body),
                                           name == "plain" ? "x86-64" : name);
}

VariantInfo peaks_variant(const char* name, const char* doc, std::vector<TunableInfo> tunables,
                          std::vector<std::string> require, std::vector<std::string> features = {}) {
  VariantInfo info = cpu_variant("peaks", name, doc, std::move(tunables), std::move(features));
  info.dtypes.clear();
  info.require = std::move(require);
  return info;
}

const Table::Registration peaks_registration([] {
  const TunableInfo store{"store",
                          std::string("cached"),
                          "how results are written: through the caches, or past them (streaming stores)",
                          // Where nothing large is written there is nothing to choose.
                          {"store == 'cached' or store == 'streaming' and (probe == 'dram_write' or probe "
                           "== 'dram_copy' or probe == "
                           "'dram_triad')"},
                          {std::string("cached"), std::string("streaming")}};
  const std::string memory =
      "probe == 'dram_read' or probe == 'dram_write' or probe == 'dram_copy' or probe == 'dram_triad' or "
      "probe "
      "== 'cache_read'";
  const std::string vectors = memory + " or probe == 'fma_f32' or probe == 'fma_f64'";
  return std::vector<Table::Entry>{
      {peaks_variant(
           "plain",
           "one element at a time; in cache bound by instructions, beyond by memory; starts threads for "
           "probe launch",
           {threads_tunable(0)}, {memory + " or probe == 'launch'"}),
       &make_peaks},
      {peaks_variant("avx2", "256-bit vectors; bound by the FMA units or by memory",
                     {threads_tunable(0), store}, {vectors}, {"avx2", "fma"}),
       &make_peaks},
      {peaks_variant("avx512", "512-bit vectors; bound by the FMA units or by memory",
                     {threads_tunable(0), store}, {vectors}, {"avx512f"}),
       &make_peaks}};
});

}  // namespace

}  // namespace benchctl::cpu_avx
