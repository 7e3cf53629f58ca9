// Variants of workload `transpose`.
#include <benchctl/access_spec.hpp>

#include <algorithm>
#include <functional>
#include <vector>

#include "kernels/transpose_kernels.hpp"
#include "openblas.hpp"
#include "range_executable.hpp"
#include "request.hpp"
#include "store_policy.hpp"
#include "table.hpp"
#include "transpose_order.hpp"

namespace benchctl::cpu_avx {

namespace {

/// Rows or columns of in that a thread takes at once: whole lines, so that no two threads write to one.
constexpr std::size_t transpose_granule = 64;
/// Least bytes of in and out that make calling a thread worth while: a microsecond's work.
constexpr std::size_t least_bytes = std::size_t{128} << 10;

template <class T>
class VendorTranspose final : public Executable {
 public:
  VendorTranspose(std::int32_t rows, std::int32_t columns, std::size_t in, std::size_t out)
      : rows_(rows), columns_(columns), in_(in), out_(out) {}

  void execute(std::span<const std::span<std::byte>> buffers) override {
    blas_.transpose(rows_, columns_, elements<T>(buffers, in_), elements<T>(buffers, out_));
  }
  [[nodiscard]] unsigned threads() const override { return 1; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    auto notes = blas_.notes();
    notes.emplace("threads", "1");
    return notes;
  }

 private:
  const OpenBlas& blas_ = OpenBlas::instance();
  std::int32_t rows_;
  std::int32_t columns_;
  std::size_t in_;
  std::size_t out_;
};

/// A kernel on the parts of its threads, which are laid out beforehand: where a small matrix is, all that
/// is left to do for one are two pointers and a call.
template <class T>
class OwnTranspose final : public Executable {
 public:
  using Kernel = void (*)(const TransposePart<T>& part, std::size_t detail) noexcept;

  struct Setup {
    TransposePart<T> whole{};
    std::size_t in = 0;
    std::size_t out = 0;
    unsigned threads = 1;
    Kernel kernel = nullptr;
    std::size_t detail = 0;  ///< further argument of the kernel
    std::string instructions;
  };

  OwnTranspose(Machine& machine, const Setup& setup)
      : kernel_(setup.kernel),
        detail_(setup.detail),
        in_(setup.in),
        out_(setup.out),
        pool_(machine.pool),
        instructions_(setup.instructions) {
    pool_.require(setup.threads);
    const bool by_rows = takes_rows(setup.whole, setup.threads);
    for (unsigned thread = 0; thread < setup.threads; ++thread) {
      const std::size_t count = by_rows ? setup.whole.rows : setup.whole.columns;
      const Range range = part_of(count, transpose_granule, thread, setup.threads);
      TransposePart<T> part = setup.whole;
      (by_rows ? part.row_begin : part.column_begin) = range.begin;
      (by_rows ? part.row_end : part.column_end) = range.end;
      parts_.push_back(part);
    }
    job_ = [this](unsigned thread) { transpose(parts_[thread]); };
  }

  void execute(std::span<const std::span<std::byte>> buffers) override {
    // Written only if it changes: loads of in would wait for a store to the same place in another page.
    if (const T* in = elements<const T>(buffers, in_); in != parts_.front().in) {
      for (TransposePart<T>& part : parts_) part.in = in;
    }
    if (T* out = elements<T>(buffers, out_); out != parts_.front().out) {
      for (TransposePart<T>& part : parts_) part.out = out;
    }
    if (parts_.size() == 1) return transpose(parts_.front());
    pool_.run(threads(), job_);
  }
  [[nodiscard]] unsigned threads() const override { return static_cast<unsigned>(parts_.size()); }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return {{"instructions", instructions_}, {"threads", std::to_string(threads())}};
  }

 private:
  /// Whether threads have rows of in each, and not columns: of a matrix that is clearly higher than wide,
  /// whose columns are few. Columns are rows of out, which follow each other, so that threads have no line
  /// of out in common: 1025 x 1000 takes two threads of a Zen 5 83 us so, and 130 by rows; 900 x 350 and
  /// 2000 x 512 take 1.1 to 2 times as long by columns.
  static bool takes_rows(const TransposePart<T>& whole, unsigned threads) {
    const Range first = part_of(whole.columns, transpose_granule, 0, threads);
    const bool even = 3 * threads * (first.end - first.begin) <= 4 * whole.columns;
    return whole.rows > whole.columns && !(even && 4 * whole.rows <= 5 * whole.columns);
  }

  void transpose(const TransposePart<T>& part) const {
    if (part.row_begin < part.row_end && part.column_begin < part.column_end) kernel_(part, detail_);
  }

  Kernel kernel_;
  std::size_t detail_;
  std::size_t in_;
  std::size_t out_;
  ThreadPool& pool_;
  std::string instructions_;
  std::vector<TransposePart<T>> parts_;
  std::function<void(unsigned)> job_;
};

/// The kernel of a name. What it is told besides is whether it streams, or the edge of its tiles.
template <class T>
typename OwnTranspose<T>::Kernel kernel_of(const std::string& name) {
  using Part = TransposePart<T>;
  if (name == "avx512") {
    return [](const Part& part, std::size_t stream) noexcept { transpose_avx512(part, stream != 0); };
  }
  if (name == "avx2") {
    return [](const Part& part, std::size_t stream) noexcept { transpose_avx2(part, stream != 0); };
  }
  if (name == "blocked") {
    return [](const Part& part, std::size_t tile) noexcept { transpose_blocked(part, tile); };
  }
  return [](const Part& part, std::size_t /*nothing*/) noexcept { transpose_naive(part); };
}

template <class T>
std::unique_ptr<Executable> make_typed_transpose(const PrepareRequest& request, const ProblemSpec& spec,
                                                 Machine& machine) {
  constexpr DType type = sizeof(T) == 4 ? DType::f32 : DType::f64;
  const std::int32_t rows = scalar_of(spec, "rows");
  const std::int32_t columns = scalar_of(spec, "columns");
  const std::uint64_t count = static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
  const std::size_t in = buffer_of(spec, "in", type, count);
  const std::size_t out = buffer_of(spec, "out", type, count);
  const std::string& name = request.variant->name;
  if (name == "vendor") return std::make_unique<VendorTranspose<T>>(rows, columns, in, out);

  typename OwnTranspose<T>::Setup setup;
  TransposePart<T>& whole = setup.whole;
  whole.rows = static_cast<std::size_t>(rows);
  whole.columns = static_cast<std::size_t>(columns);
  whole.row_end = whole.rows;
  whole.column_end = whole.columns;
  const bool wide = name == "avx2" || name == "avx512";
  const std::size_t bytes = 2 * count * sizeof(T);
  const auto busy = static_cast<unsigned>(std::clamp<std::size_t>(bytes / least_bytes, 1, 1U << 16));
  setup.threads = std::min(requested_threads(request, machine), wide ? busy : ~0U);
  whole.order = transpose_order({whole.rows, whole.columns, sizeof(T), bytes / setup.threads,
                                 machine.topology.l1d_bytes, machine.topology.l2_bytes,
                                 half_vectors_shuffle_faster(), stores_wait_for_lines()});
  if (name == "blocked") {
    const auto tile = integer_tunable(request, "tile");
    if (tile < 1) unsupported("a tile is at least 1");
    setup.detail = static_cast<std::size_t>(tile);
  } else {
    setup.detail = wide && wants_streaming(request, machine, bytes, setup.threads) ? 1 : 0;
  }
  setup.in = in;
  setup.out = out;
  setup.kernel = kernel_of<T>(name);
  setup.instructions = wide ? name : "x86-64";
  return std::make_unique<OwnTranspose<T>>(machine, setup);
}

std::unique_ptr<Executable> make_transpose(const PrepareRequest& request, const ProblemSpec& spec,
                                           Machine& machine) {
  return spec.buffers.at(0).type == DType::f64 ? make_typed_transpose<double>(request, spec, machine)
                                               : make_typed_transpose<float>(request, spec, machine);
}

const Table::Registration transpose_registration([] {
  std::vector<VariantInfo> infos{
      cpu_variant("transpose", "naive",
                  "reads rows, writes columns; beyond the caches a line is moved for each element written",
                  {threads_tunable(0)}),
      cpu_variant("transpose", "blocked", "the same loop in squares whose lines stay in cache",
                  {threads_tunable(0),
                   {"tile",
                    std::int64_t{32},
                    "edge of the squares, in elements",
                    {"tile >= 1"},
                    {std::int64_t{8}, std::int64_t{16}, std::int64_t{32}, std::int64_t{64}}}}),
      cpu_variant("transpose", "avx2",
                  "squares of one 256-bit vector's elements, transposed in registers; bound by memory "
                  "beyond the caches",
                  {threads_tunable(0), store_tunable("out")}, {"avx2"}),
      cpu_variant("transpose", "avx512",
                  "squares of one 512-bit vector's elements, transposed in registers; bound by memory "
                  "beyond the caches",
                  {threads_tunable(0), store_tunable("out")}, {"avx512f"}),
      cpu_variant("transpose", "vendor", "OpenBLAS somatcopy / domatcopy on one core, the yardstick", {})};
  infos.back().vendor = true;
  std::vector<Table::Entry> entries;
  for (VariantInfo& info : infos) {
    // Lines whose elements are written row after row: once each, if the caches hold them so long.
    info.access = {patterns::whole(AccessKind::read, "in", "rows * columns"),
                   patterns::whole(AccessKind::write, "out", "rows * columns")};
    entries.push_back({std::move(info), &make_transpose});
  }
  return entries;
});

}  // namespace

}  // namespace benchctl::cpu_avx
