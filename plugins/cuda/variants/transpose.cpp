// Variants of workload `transpose`.
#include "measure/execution.hpp"
#include "table.hpp"

namespace benchctl::cuda {

namespace {

VariantInfo transpose_vendor() {
  VariantInfo variant =
      gpu_variant("transpose", "vendor", "cuBLAS's geam with one operand. The yardstick.");
  variant.dtypes = {DType::f32, DType::f64};
  variant.vendor = true;
  return variant;
}

/// cuBLAS counts in columns: what is row-major to us is its own transpose there, for in and out alike.
class VendorTranspose final : public PreparedExecution {
 public:
  explicit VendorTranspose(DeviceProblem& problem)
      : PreparedExecution(problem),
        blas_(context().cublas()),
        in_(problem.spec().position_of_buffer("in")),
        out_(problem.spec().position_of_buffer("out")),
        rows_(size("rows")),
        columns_(size("columns")) {}

  [[nodiscard]] Resources resources() const override { return {}; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return blas_.notes();
  }

 protected:
  void enqueue(std::uint32_t set) override {
    if (problem().spec().buffers[in_].type == DType::f64) {
      transpose<double>(blas_.api().dgeam, set);
    } else {
      transpose<float>(blas_.api().sgeam, set);
    }
  }
  [[nodiscard]] std::uint32_t operations() const override { return 1; }
  [[nodiscard]] std::string title() const override { return "cuBLAS's transpose"; }

 private:
  [[nodiscard]] int size(const char* name) const {
    const ProblemSpec& spec = problem().spec();
    return static_cast<int>(std::get<std::int64_t>(spec.scalars[spec.position_of_scalar(name)].value));
  }

  template <class Real, class Geam>
  void transpose(Geam geam, std::uint32_t set) {
    const Real one = 1;
    const Real zero = 0;
    const auto* in = reinterpret_cast<const Real*>(problem().address(set, in_));
    auto* out = reinterpret_cast<Real*>(problem().address(set, out_));
    // The second operand is multiplied by zero and never read.
    blas_.api().check(geam(blas_.get(), CUBLAS_OP_T, CUBLAS_OP_N, rows_, columns_, &one, in, columns_,
                           &zero, out, rows_, out, rows_),
                      "transposing with cuBLAS");
  }

  CublasHandle& blas_;
  std::size_t in_;
  std::size_t out_;
  int rows_;
  int columns_;
};

std::unique_ptr<Prepared> make_transpose_vendor(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return std::make_unique<VendorTranspose>(problem);
}

const Table::Registration transpose_registration([] {
  std::vector<Table::Entry> entries = Table::source_files(gpu::transpose_variants(language()));
  entries.push_back({gpu::transpose_swizzled(language())});
  entries.back().info.features = {"mma_sync"};  // cp.async came with it, at compute capability 8.0
  entries.push_back({transpose_vendor(), &make_transpose_vendor});
  return entries;
});

}  // namespace

}  // namespace benchctl::cuda
