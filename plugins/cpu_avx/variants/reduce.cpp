// Variants of workload `reduce`.
#include <benchctl/access_spec.hpp>

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "fetch_policy.hpp"
#include "kernels/reduce_kernels.hpp"
#include "openblas.hpp"
#include "range_executable.hpp"
#include "request.hpp"
#include "table.hpp"

namespace benchctl::cpu_avx {

namespace {

template <class T>
struct ReduceInfo {
  const char* variant;
  void (*find)(ReduceOp op, ReduceFetch fetch, ReduceKernel<T>& kernel) noexcept;
  const char* instructions;
};

template <class T>
constexpr std::array<ReduceInfo<T>, 4> reduce_kernels{{{"plain", &reduce_plain, "x86-64"},
                                                       {"unrolled", &reduce_unrolled, "x86-64"},
                                                       {"avx2", &reduce_avx2, "avx2 fma"},
                                                       {"avx512", &reduce_avx512, "avx512f"}}};

/// Position of the operands among the problem's buffers; y is x where there is one input only.
struct ReduceOperands {
  std::size_t x = 0;
  std::size_t y = 0;
  std::size_t result = 0;
  std::size_t n = 0;
  std::string op;
};

/// The kernels' operation for the workload's.
ReduceOp kernel_op(const std::string& op) {
  if (op == "min") return ReduceOp::minimum;
  if (op == "max") return ReduceOp::maximum;
  if (op == "norm") return ReduceOp::squares;
  return op == "dot" ? ReduceOp::dot : ReduceOp::sum;
}

TunableInfo fetch_tunable() {
  return {
      "fetch",
      std::string("auto"),
      "how operands are read: in order; so that lines are asked for 2 KB ahead; or several pieces of a "
      "thread's part side by side; auto: ahead from the last cache, and side by side from memory, but for "
      "dot",
      {"fetch == 'auto' or fetch == 'in_order' or fetch == 'ahead' or fetch == 'side_by_side'"},
      {std::string("auto"), std::string("in_order"), std::string("ahead"), std::string("side_by_side")}};
}

/// How operands of `bytes` in all are fetched. Those of a dot product are two pieces already: more of them
/// took 0.96 to 1.08 of the time in order. To ask ahead gains minima and maxima 1.1 to 1.3 with 512-bit
/// vectors, with 256-bit ones it costs up to a quarter, norms up to a fifth with either.
ReduceFetch fetch_of(const PrepareRequest& request, const std::string& op, std::size_t bytes,
                     unsigned threads, const Topology& topology) {
  const std::string& fetch = word_tunable(request, "fetch");
  if (fetch == "in_order") return ReduceFetch::in_order;
  if (fetch == "ahead") return ReduceFetch::ahead;
  if (fetch == "side_by_side") return ReduceFetch::side_by_side;
  if (op != "dot" && comes_from_memory(bytes, threads, topology)) return ReduceFetch::side_by_side;
  const bool extreme = op == "min" || op == "max";
  const bool asks = extreme ? request.variant->name == "avx512" : op != "norm";
  return asks && comes_from_last_cache(bytes, threads, topology) ? ReduceFetch::ahead
                                                                 : ReduceFetch::in_order;
}

/// Each thread reduces its part; the caller joins their values in the order of the parts, so that the
/// result does not change from run to run.
template <class T>
class OwnReduce final : public Executable {
 public:
  OwnReduce(const ReduceInfo<T>& info, ReduceOperands operands, ReduceFetch fetch, unsigned threads,
            Machine& machine)
      : instructions_(info.instructions),
        operands_(std::move(operands)),
        fetch_(fetch),
        op_(kernel_op(operands_.op)),
        mean_(operands_.op == "mean"),
        threads_(threads),
        pool_(machine.pool),
        parts_(threads) {
    info.find(op_, fetch_, kernel_);
    pool_.require(threads_);
    for (unsigned thread = 0; thread < threads_; ++thread) {
      // Parts start on a cache line.
      parts_[thread].range = part_of(operands_.n, 64 / sizeof(T), thread, threads_);
    }
    // Made once: a std::function built in the timed loop could allocate.
    job_ = [this](unsigned thread) { reduce_part(thread); };
  }

  void execute(std::span<const std::span<std::byte>> buffers) override {
    x_ = elements<const T>(buffers, operands_.x);
    y_ = elements<const T>(buffers, operands_.y);
    *elements<T>(buffers, operands_.result) = static_cast<T>(result());
  }
  [[nodiscard]] unsigned threads() const override { return threads_; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    std::map<std::string, std::string, std::less<>> all{{"instructions", instructions_},
                                                        {"threads", std::to_string(threads_)}};
    if (fetch_ == ReduceFetch::ahead) all.emplace("prefetch", "2 KB ahead");
    if (fetch_ == ReduceFetch::side_by_side) all.emplace("read", "several pieces side by side");
    return all;
  }

 private:
  /// A part has a cache line of its own, so that threads do not wait for each other's writes.
  struct alignas(64) Part {
    Range range;
    double value = 0;
  };

  void reduce_part(unsigned thread) {
    const Range range = parts_[thread].range;
    parts_[thread].value = kernel_(x_ + range.begin, y_ + range.begin, range.end - range.begin, scale_);
  }

  double reduce_parts(double scale) {
    // Some ten per cent of 4000 elements quicker than by way of the pool.
    if (threads_ == 1) return kernel_(x_, y_, operands_.n, scale);
    scale_ = scale;
    pool_.run(threads_, job_);
    double total = parts_[0].value;
    for (unsigned thread = 1; thread < threads_; ++thread) {
      const double value = parts_[thread].value;
      if (op_ == ReduceOp::minimum) {
        total = total < value || std::isnan(total) ? total : value;
      } else if (op_ == ReduceOp::maximum) {
        total = total > value || std::isnan(total) ? total : value;
      } else {
        total += value;
      }
    }
    return total;
  }

  double result() {
    const double total = reduce_parts(1);
    if (mean_) return total / static_cast<double>(operands_.n);
    if (op_ != ReduceOp::squares) return total;
    // Squares that overflowed or vanished, which only those of float64 numbers do, are summed up again with
    // all numbers scaled. NaN passes the comparisons.
    if (total > 0x1p1000) return std::sqrt(reduce_parts(0x1p-600)) * 0x1p600;
    if (total < 0x1p-900 && sizeof(T) == 8) return std::sqrt(reduce_parts(0x1p600)) * 0x1p-600;
    return std::sqrt(total);
  }

  const char* instructions_;
  ReduceKernel<T> kernel_ = nullptr;
  ReduceOperands operands_;
  ReduceFetch fetch_;
  ReduceOp op_;
  bool mean_;
  unsigned threads_;
  ThreadPool& pool_;
  const T* x_ = nullptr;
  const T* y_ = nullptr;
  double scale_ = 1;
  std::vector<Part> parts_;
  std::function<void(unsigned)> job_;
};

template <class T>
class VendorReduce final : public Executable {
 public:
  VendorReduce(ReduceOperands operands, unsigned threads)
      : operands_(std::move(operands)), threads_(threads) {
    granted_ = blas_.set_threads(threads_);
  }

  // Others in this process may have asked the library for another number in between.
  void activate() override { granted_ = blas_.set_threads(threads_); }
  void execute(std::span<const std::span<std::byte>> buffers) override {
    const T* x = elements<const T>(buffers, operands_.x);
    const auto n = static_cast<std::int32_t>(operands_.n);
    *elements<T>(buffers, operands_.result) =
        operands_.op == "norm" ? blas_.norm(n, x)
                               : blas_.dot(n, x, elements<const T>(buffers, operands_.y));
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
  ReduceOperands operands_;
  unsigned threads_;
  unsigned granted_ = 0;
};

template <class T>
std::unique_ptr<Executable> make_typed_reduce(const PrepareRequest& request, const ProblemSpec& spec,
                                              Machine& machine) {
  constexpr DType type = sizeof(T) == 4 ? DType::f32 : DType::f64;
  ReduceOperands operands;
  operands.n = static_cast<std::size_t>(scalar_of(spec, "n"));
  operands.x = buffer_of(spec, "x", type, operands.n);
  operands.y = spec.buffer_index("y") ? buffer_of(spec, "y", type, operands.n) : operands.x;
  operands.result = buffer_of(spec, "result", type, 1);
  const auto op = spec.parameters.find("op");
  if (op != spec.parameters.end()) operands.op = std::get<std::string>(op->second);
  const unsigned threads = requested_threads(request, machine);
  const std::string& name = request.variant->name;
  if (name == "vendor") return std::make_unique<VendorReduce<T>>(operands, threads);
  for (const ReduceInfo<T>& info : reduce_kernels<T>) {
    if (name != info.variant) continue;
    const std::size_t bytes = (operands.op == "dot" ? 2 : 1) * operands.n * sizeof(T);
    const bool wide = std::string_view(info.instructions) != "x86-64";
    const ReduceFetch fetch =
        wide ? fetch_of(request, operands.op, bytes, threads, machine.topology) : ReduceFetch::in_order;
    return std::make_unique<OwnReduce<T>>(info, operands, fetch, threads, machine);
  }
  unsupported("cpu_avx has no variant '" + name + "' of reduce");
}

std::unique_ptr<Executable> make_reduce(const PrepareRequest& request, const ProblemSpec& spec,
                                        Machine& machine) {
  return spec.buffers.at(0).type == DType::f64 ? make_typed_reduce<double>(request, spec, machine)
                                               : make_typed_reduce<float>(request, spec, machine);
}

VariantInfo reduce_variant(const char* name, const char* doc, std::vector<std::string> features = {}) {
  std::vector<TunableInfo> tunables{threads_tunable(0)};
  // What compilers make of one element at a time reads in order.
  if (!features.empty()) tunables.push_back(fetch_tunable());
  return cpu_variant("reduce", name, doc, std::move(tunables), std::move(features));
}

const Table::Registration reduce_registration([] {
  std::vector<VariantInfo> infos{
      reduce_variant("plain",
                     "one element at a time, one accumulator; bound by the latency of an addition"),
      reduce_variant("unrolled",
                     "one element at a time, eight accumulators; bound by loads, beyond cache by memory"),
      reduce_variant("avx2", "256-bit vectors, eight accumulators; bound by memory beyond the caches",
                     {"avx2", "fma"}),
      reduce_variant("avx512", "512-bit vectors, eight accumulators; bound by memory beyond the caches",
                     {"avx512f"}),
      reduce_variant("vendor",
                     "OpenBLAS dot and nrm2, the yardstick; it has no other of these operations")};
  infos.back().vendor = true;
  infos.back().require = {"op == 'dot' or op == 'norm'"};
  std::vector<Table::Entry> entries;
  for (VariantInfo& info : infos) {
    info.access = {patterns::whole(AccessKind::read, "x"), patterns::whole(AccessKind::read, "y")};
    info.access.back().active = "op == 'dot'";
    entries.push_back({std::move(info), &make_reduce});
  }
  return entries;
});

}  // namespace

}  // namespace benchctl::cpu_avx
