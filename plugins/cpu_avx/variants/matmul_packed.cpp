// Variant `packed` of workload `matmul`.
#include <utility>

#include "host_memory.hpp"
#include "matmul_blocking.hpp"
#include "request.hpp"
#include "table.hpp"

namespace benchctl::cpu_avx {

namespace {

/// Positions of A, B and C among the problem's buffers.
struct MatmulPackedOperands {
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t c = 0;
};

template <class T>
using MatmulPackedKernel = void (*)(const MatmulPart<T>& part, const PackedBlocking& blocking, T* scratch);

template <class T>
struct MatmulPackedInfo {
  MatmulPackedKernel<T> kernel;
  const char* instructions;
  RegisterTile tile;
};

template <class T>
constexpr MatmulPackedInfo<T> avx2{&matmul_packed_avx2, "avx2 fma", avx2_tile<T>};
template <class T>
constexpr MatmulPackedInfo<T> avx512{&matmul_packed_avx512, "avx512f avx512vl", avx512_tile<T>};

template <class T>
class PackedMatmul final : public Executable {
 public:
  PackedMatmul(const MatmulPackedInfo<T>& info, const ProductShape& shape,
               const MatmulPackedOperands& operands, const PackedBlocking& blocking, unsigned threads,
               Machine& machine)
      : info_(info),
        shape_(shape),
        operands_(operands),
        blocking_(blocking),
        threads_(threads),
        grid_(thread_grid(shape, threads, info.tile)),
        pool_(machine.pool) {
    pool_.require(threads_);
    // Large enough for 2 MB pages, of which one translation does for a whole block.
    const std::size_t elements = std::max(packed_scratch<T>(blocking_).elements, huge_elements);
    for (unsigned thread = 0; thread < threads_; ++thread) {
      scratch_.emplace_back(elements * sizeof(T));
      parts_.push_back(part_for(thread));
    }
    // Made once: a std::function built in the timed loop could allocate.
    job_ = [this](unsigned thread) { multiply(thread); };
  }

  void execute(std::span<const std::span<std::byte>> buffers) override {
    a_ = reinterpret_cast<const T*>(buffers[operands_.a].data());
    b_ = reinterpret_cast<const T*>(buffers[operands_.b].data());
    c_ = reinterpret_cast<T*>(buffers[operands_.c].data());
    if (threads_ == 1) {
      multiply(0);
    } else {
      pool_.run(threads_, job_);
    }
  }
  [[nodiscard]] unsigned threads() const override { return threads_; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return {{"instructions", info_.instructions},
            {"threads", std::to_string(threads_)},
            {"blocking", describe(blocking_) + "; threads " + std::to_string(grid_.rows) + " × " +
                             std::to_string(grid_.columns)}};
  }

 private:
  static constexpr std::size_t huge_elements = (std::size_t{4} << 20) / sizeof(T);

  /// The rectangle of C that is one thread's, of no matrices yet. Made once: its divisions take as long as
  /// a hundredth of a product of 64 × 64 × 64.
  [[nodiscard]] MatmulPart<T> part_for(unsigned thread) const {
    const Range rows = part_of(shape_.m, 1, thread / grid_.columns, grid_.rows);
    const Range columns = part_of(shape_.n, 64 / sizeof(T), thread % grid_.columns, grid_.columns);
    return {nullptr,    nullptr,  nullptr,       shape_.n,   shape_.k,
            rows.begin, rows.end, columns.begin, columns.end};
  }

  void multiply(unsigned thread) {
    MatmulPart<T> part = parts_[thread];
    part.a = a_;
    part.b = b_;
    part.c = c_;
    info_.kernel(part, blocking_, scratch_[thread].template as<T>());
  }

  MatmulPackedInfo<T> info_;
  ProductShape shape_;
  MatmulPackedOperands operands_;
  PackedBlocking blocking_;
  unsigned threads_;
  Grid grid_;
  ThreadPool& pool_;
  const T* a_ = nullptr;
  const T* b_ = nullptr;
  T* c_ = nullptr;
  std::vector<HostMemory> scratch_;
  std::vector<MatmulPart<T>> parts_;
  std::function<void(unsigned)> job_;
};

bool use_avx512(const PrepareRequest& request, const Machine& machine) {
  const bool offered = machine.has("avx512f") && machine.has("avx512vl");
  const std::string& wanted = word_tunable(request, "instructions");
  if (wanted == "avx512" && !offered) {
    unsupported("instructions = avx512 needs avx512f and avx512vl, which this processor does not offer");
  }
  return wanted == "avx512" || (wanted == "auto" && offered);
}

std::size_t wished(const PrepareRequest& request, std::string_view name) {
  const std::int64_t value = integer_tunable(request, name);
  if (value < 0) unsupported(std::string(name) + " = " + std::to_string(value) + ", but it is at least 0");
  return static_cast<std::size_t>(value);
}

template <class T>
std::unique_ptr<Executable> make_packed(const PrepareRequest& request, const ProductShape& shape,
                                        const MatmulPackedOperands& operands, Machine& machine) {
  const unsigned threads = useful_threads(shape, requested_threads(request, machine));
  const BlockingWishes wishes{wished(request, "depth"), wished(request, "tall"), wished(request, "wide"),
                              word_tunable(request, "pack"), word_tunable(request, "store")};
  const MatmulPackedInfo<T>& info = use_avx512(request, machine) ? avx512<T> : avx2<T>;
  const PackedBlocking blocking =
      packed_blocking(shape, sizeof(T), threads, info.tile, machine.topology, wishes);
  return std::make_unique<PackedMatmul<T>>(info, shape, operands, blocking, threads, machine);
}

std::unique_ptr<Executable> make_packed(const PrepareRequest& request, const ProblemSpec& spec,
                                        Machine& machine) {
  const auto size = [&spec](const char* name) { return static_cast<std::size_t>(scalar_of(spec, name)); };
  const ProductShape shape{size("m"), size("n"), size("k")};
  const DType type = spec.buffers.empty() ? DType::f32 : spec.buffers.front().type;
  const MatmulPackedOperands operands{buffer_of(spec, "A", type, shape.m * shape.k),
                                      buffer_of(spec, "B", type, shape.k * shape.n),
                                      buffer_of(spec, "C", type, shape.m * shape.n)};
  if (type == DType::f32) return make_packed<float>(request, shape, operands, machine);
  if (type == DType::f64) return make_packed<double>(request, shape, operands, machine);
  unsupported("cpu_avx multiplies f32 and f64 matrices, not " + std::string(to_string(type)));
}

TunableInfo block_tunable(const char* name, const char* doc, std::vector<Value> sweep) {
  return {name, std::int64_t{0}, doc, {std::string(name) + " >= 0"}, std::move(sweep)};
}

TunableInfo word(const char* name, const char* doc, const char* condition, std::vector<Value> sweep) {
  return {name, std::string("auto"), doc, {condition}, std::move(sweep)};
}

VariantInfo packed_tuned() {
  VariantInfo choice =
      cpu_variant("matmul", "packed_tuned",
                  "the quickest of `packed` in the configurations that were quickest for products of about "
                  "the same size",
                  choice_tunables());
  choice.among = {"packed"};
  return choice;
}

const Table::Registration matmul_packed_registration([] {
  VariantInfo info = cpu_variant(
      "matmul", "packed",
      "register tiles of C (AVX-512: 14 × 2 vectors, AVX2: 6 × 2), blocks for each cache, operands copied "
      "where that pays; bound by the FMA units",
      {threads_tunable(0),
       word("instructions", "instruction set; auto: the widest that the processor has",
            "instructions == 'auto' or instructions == 'avx2' or instructions == 'avx512'",
            {std::string("auto"), std::string("avx2"), std::string("avx512")}),
       block_tunable("depth", "steps of k in a slab; 0: by the size of the first-level cache",
                     {std::int64_t{256}, std::int64_t{384}, std::int64_t{512}}),
       block_tunable("tall", "rows in a block of A; 0: by the size of the second-level cache",
                     {std::int64_t{128}, std::int64_t{256}, std::int64_t{512}}),
       block_tunable("wide", "columns in a block of B; 0: by the size of the last cache",
                     {std::int64_t{512}, std::int64_t{2048}, std::int64_t{4096}}),
       word("pack", "which operands are copied: none, a, b, both; auto: by their shapes",
            "pack == 'auto' or pack == 'none' or pack == 'a' or pack == 'b' or pack == 'both'",
            {std::string("auto"), std::string("none"), std::string("a"), std::string("b"),
             std::string("both")}),
       word("store",
            "how C is written: through the caches, or past them where a sum is made in one slab and rows "
            "are aligned; auto: by its size",
            "store == 'auto' or store == 'cached' or store == 'streaming'",
            {std::string("auto"), std::string("cached"), std::string("streaming")})},
      {"avx2", "fma"});
  return std::vector<Table::Entry>{{std::move(info), &make_packed}, {packed_tuned()}};
});

}  // namespace

}  // namespace benchctl::cpu_avx
