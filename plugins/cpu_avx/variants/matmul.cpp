// Variants of workload `matmul`.
#include <utility>

#include "host_memory.hpp"
#include "kernels/matmul_kernels.hpp"
#include "openblas.hpp"
#include "request.hpp"
#include "table.hpp"

namespace benchctl::cpu_avx {

namespace {

struct MatmulShape {
  std::int32_t m = 0;
  std::int32_t n = 0;
  std::int32_t k = 0;
};

/// Positions of A, B and C among the problem's buffers.
struct MatmulOperands {
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t c = 0;
};

template <class T>
using MatmulKernel = void (*)(const MatmulPart<T>& part, T* scratch, std::size_t tile);

/// One of our kernels: how to call it and how C may be divided among threads.
template <class T>
struct MatmulInfo {
  const char* variant;
  MatmulKernel<T> kernel;
  const char* instructions;
  std::size_t row_granule;
  std::size_t column_granule;
  bool scratch;
};

template <class T>
constexpr std::array<MatmulInfo<T>, 5> matmul_kernels{
    {{"naive", [](const MatmulPart<T>& part, T*, std::size_t) { matmul_naive(part); }, "x86-64", 1, 16,
      false},
     {"naive_mt", [](const MatmulPart<T>& part, T*, std::size_t) { matmul_naive(part); }, "x86-64", 1, 16,
      false},
     {"tiled", [](const MatmulPart<T>& part, T*, std::size_t tile) { matmul_tiled(part, tile); }, "x86-64",
      1, 16, false},
     {"avx2", [](const MatmulPart<T>& part, T* scratch, std::size_t) { matmul_avx2(part, scratch); },
      "avx2 fma", 6, 64 / sizeof(T), true},
     {"avx512", [](const MatmulPart<T>& part, T* scratch, std::size_t) { matmul_avx512(part, scratch); },
      "avx512f", 14, 128 / sizeof(T), true}}};

template <class T>
class OwnMatmul final : public Executable {
 public:
  OwnMatmul(const MatmulInfo<T>& info, const MatmulShape& shape, const MatmulOperands& operands,
            unsigned threads, std::size_t tile, Machine& machine)
      : info_(info), operands_(operands), threads_(threads), pool_(machine.pool) {
    whole_.n = static_cast<std::size_t>(shape.n);
    whole_.k = static_cast<std::size_t>(shape.k);
    whole_.row_end = static_cast<std::size_t>(shape.m);
    whole_.column_end = static_cast<std::size_t>(shape.n);
    pool_.require(threads_);
    for (unsigned thread = 0; info_.scratch && thread < threads_; ++thread) {
      scratch_.emplace_back(matmul_scratch_elements<T>() * sizeof(T));
    }
    // Made once: a std::function built in the timed loop could allocate.
    job_ = [this, tile](unsigned thread) {
      MatmulPart<T> part = whole_;
      // Along the longer side, so that no thread is left without work.
      if (whole_.row_end >= whole_.column_end) {
        const Range range = part_of(whole_.row_end, info_.row_granule, thread, threads_);
        part.row_begin = range.begin;
        part.row_end = range.end;
      } else {
        const Range range = part_of(whole_.column_end, info_.column_granule, thread, threads_);
        part.column_begin = range.begin;
        part.column_end = range.end;
      }
      info_.kernel(part, info_.scratch ? scratch_[thread].template as<T>() : nullptr, tile);
    };
  }

  void execute(std::span<const std::span<std::byte>> buffers) override {
    whole_.a = reinterpret_cast<const T*>(buffers[operands_.a].data());
    whole_.b = reinterpret_cast<const T*>(buffers[operands_.b].data());
    whole_.c = reinterpret_cast<T*>(buffers[operands_.c].data());
    pool_.run(threads_, job_);
  }
  [[nodiscard]] unsigned threads() const override { return threads_; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return {{"instructions", info_.instructions}, {"threads", std::to_string(threads_)}};
  }

 private:
  MatmulInfo<T> info_;
  MatmulOperands operands_;
  unsigned threads_;
  ThreadPool& pool_;
  MatmulPart<T> whole_{};
  std::vector<HostMemory> scratch_;
  std::function<void(unsigned)> job_;
};

template <class T>
class VendorMatmul final : public Executable {
 public:
  VendorMatmul(const MatmulShape& shape, const MatmulOperands& operands, unsigned threads)
      : shape_(shape), operands_(operands), threads_(threads) {
    granted_ = blas_.set_threads(threads_);
  }

  // Others in this process may have asked the library for another number in between.
  void activate() override { granted_ = blas_.set_threads(threads_); }
  void execute(std::span<const std::span<std::byte>> buffers) override {
    blas_.multiply(shape_.m, shape_.n, shape_.k, reinterpret_cast<const T*>(buffers[operands_.a].data()),
                   reinterpret_cast<const T*>(buffers[operands_.b].data()),
                   reinterpret_cast<T*>(buffers[operands_.c].data()));
  }
  [[nodiscard]] unsigned threads() const override { return threads_; }
  [[nodiscard]] bool pinned() const override { return threads_ == 1; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    auto notes = blas_.notes();
    notes.emplace("threads", std::to_string(granted_));
    return notes;
  }

 private:
  const OpenBlas& blas_ = OpenBlas::instance();
  MatmulShape shape_;
  MatmulOperands operands_;
  unsigned threads_;
  unsigned granted_ = 0;
};

template <class T>
std::unique_ptr<Executable> make_matmul(const PrepareRequest& request, const MatmulShape& shape,
                                        const MatmulOperands& operands, Machine& machine) {
  const VariantInfo& variant = *request.variant;
  if (variant.name == "vendor") {
    return std::make_unique<VendorMatmul<T>>(shape, operands, requested_threads(request, machine));
  }
  for (const MatmulInfo<T>& info : matmul_kernels<T>) {
    if (variant.name != info.variant) continue;
    std::size_t tile = 0;
    unsigned threads = 1;
    if (variant.name == "tiled") {
      const std::int64_t wanted = integer_tunable(request, "tile");
      if (wanted < 1) unsupported("tile = " + std::to_string(wanted) + ", but a tile is at least 1");
      tile = static_cast<std::size_t>(wanted);
    } else if (variant.name != "naive") {
      threads = requested_threads(request, machine);
    }
    return std::make_unique<OwnMatmul<T>>(info, shape, operands, threads, tile, machine);
  }
  unsupported("cpu_avx has no variant '" + variant.name + "' of matmul");
}

std::uint64_t area(std::int32_t rows, std::int32_t columns) {
  return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
}

std::unique_ptr<Executable> make_matmul(const PrepareRequest& request, const ProblemSpec& spec,
                                        Machine& machine) {
  const MatmulShape shape{scalar_of(spec, "m"), scalar_of(spec, "n"), scalar_of(spec, "k")};
  const DType type = spec.buffers.empty() ? DType::f32 : spec.buffers.front().type;
  const MatmulOperands operands{buffer_of(spec, "A", type, area(shape.m, shape.k)),
                                buffer_of(spec, "B", type, area(shape.k, shape.n)),
                                buffer_of(spec, "C", type, area(shape.m, shape.n))};
  if (type == DType::f32) return make_matmul<float>(request, shape, operands, machine);
  if (type == DType::f64) return make_matmul<double>(request, shape, operands, machine);
  unsupported("cpu_avx multiplies f32 and f64 matrices, not " + std::string(to_string(type)));
}

VariantInfo matmul_variant(const char* name, const char* doc, std::vector<TunableInfo> tunables,
                           std::vector<std::string> features = {}) {
  return cpu_variant("matmul", name, doc, std::move(tunables), std::move(features));
}

const Table::Registration matmul_registration([] {
  std::vector<VariantInfo> infos{
      matmul_variant("naive",
                     "plain triple loop on one core; bound by the latency of dependent additions and of "
                     "strided loads",
                     {}),
      matmul_variant("naive_mt", "the plain triple loop with the rows of C divided among threads",
                     {threads_tunable(0)}),
      matmul_variant(
          "tiled",
          "cache blocks of tile × tile on one core, no vector instructions by hand; bound by arithmetic",
          {{"tile",
            std::int64_t{32},
            "edge of the square blocks, in elements",
            {"tile >= 1"},
            {std::int64_t{8}, std::int64_t{16}, std::int64_t{32}, std::int64_t{64}}}}),
      matmul_variant("avx2",
                     "packed panels and micro-tiles of C in 256-bit registers; bound by the FMA units",
                     {threads_tunable(1)}, {"avx2", "fma"}),
      matmul_variant("avx512",
                     "packed panels and micro-tiles of C in 512-bit registers; bound by the FMA units",
                     {threads_tunable(1)}, {"avx512f"}),
      matmul_variant("vendor", "OpenBLAS sgemm / dgemm, the yardstick", {threads_tunable(0)})};
  infos.back().vendor = true;
  std::vector<Table::Entry> entries;
  for (VariantInfo& info : infos) entries.push_back({std::move(info), &make_matmul});
  return entries;
});

}  // namespace

}  // namespace benchctl::cpu_avx
