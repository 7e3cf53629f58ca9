// matmul/vendor_tf32 and vendor_bf16: cuBLASLt's products in narrow arithmetic.
#include "gpu/native_work.hpp"
#include "vendor/variants.hpp"

#include <cublasLt.h>

#include <array>
#include <limits>

namespace benchctl::cuda {

namespace {

/// What cuBLAS's documentation recommends for the largest GPUs.
constexpr std::size_t narrow_workspace_bytes = std::size_t{32} << 20U;
constexpr int most_candidates = 16;
constexpr int trials = 3;

class NarrowMatmul final : public gpu::Work {
 public:
  NarrowMatmul(Context& context, const Buffers& buffers);
  ~NarrowMatmul() override { release(); }

  void enqueue(std::uint32_t set) override {
    api_.check(multiply(set, algorithm_), "multiplying with cuBLASLt");
  }
  /// A split product clears its sums, multiplies and adds up.
  [[nodiscard]] std::uint32_t operations() const override { return 4; }
  [[nodiscard]] gpu::Notes notes() const override;

 private:
  void describe();
  void choose();
  void release() noexcept;
  [[nodiscard]] cublasStatus_t multiply(std::uint32_t set, const cublasLtMatmulAlgo_t& algorithm) const;

  Context& context_;
  const Buffers& buffers_;
  const CublasLtApi& api_;
  gpu::Product shape_;
  DeviceMemory workspace_;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t product_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr;
  cublasLtMatrixLayout_t b_ = nullptr;
  cublasLtMatrixLayout_t c_ = nullptr;
  cublasLtMatmulAlgo_t algorithm_{};
  int candidates_ = 0;
  int chosen_ = 0;
};

NarrowMatmul::NarrowMatmul(Context& context, const Buffers& buffers)
    : Work("cuBLASLt's product"),
      context_(context),
      buffers_(buffers),
      api_(context.libraries().cublaslt()),
      shape_(buffers.spec(), "cuBLASLt"),
      workspace_(allocate(context.driver(), narrow_workspace_bytes, "cuBLASLt's workspace")) {
  if (shape_.type != DType::f32 && shape_.type != DType::bf16) {
    throw Failure(FailureKind::unsupported, "cuBLASLt's narrow products take f32 and bf16, not " +
                                                std::string(to_string(shape_.type)));
  }
  try {
    describe();
    choose();
  } catch (...) {
    release();
    throw;
  }
}

void NarrowMatmul::release() noexcept {
  if (c_ != nullptr) static_cast<void>(api_.layout_destroy(c_));
  if (b_ != nullptr) static_cast<void>(api_.layout_destroy(b_));
  if (a_ != nullptr) static_cast<void>(api_.layout_destroy(a_));
  if (product_ != nullptr) static_cast<void>(api_.desc_destroy(product_));
  if (handle_ != nullptr) static_cast<void>(api_.destroy(handle_));
}

void NarrowMatmul::describe() {
  const bool tf32 = shape_.type == DType::f32;
  const cudaDataType_t type = tf32 ? CUDA_R_32F : CUDA_R_16BF;
  api_.check(api_.create(&handle_), "starting cuBLASLt");
  api_.check(
      api_.desc_create(&product_, tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F, CUDA_R_32F),
      "describing a product to cuBLASLt");
  const auto m = static_cast<std::uint64_t>(shape_.m);
  const auto n = static_cast<std::uint64_t>(shape_.n);
  const auto k = static_cast<std::uint64_t>(shape_.k);
  // A row-major matrix is its own transpose to cuBLAS.
  api_.check(api_.layout_create(&b_, type, n, k, shape_.n), "describing B to cuBLASLt");
  api_.check(api_.layout_create(&a_, type, k, m, shape_.k), "describing A to cuBLASLt");
  api_.check(api_.layout_create(&c_, type, n, m, shape_.n), "describing C to cuBLASLt");
}

void NarrowMatmul::choose() {
  cublasLtMatmulPreference_t preference = nullptr;
  api_.check(api_.preference_create(&preference), "asking cuBLASLt for algorithms");
  std::array<cublasLtMatmulHeuristicResult_t, most_candidates> found{};
  cublasStatus_t status = api_.preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                              &narrow_workspace_bytes, sizeof narrow_workspace_bytes);
  if (status == CUBLAS_STATUS_SUCCESS) {
    status = api_.get_heuristic(handle_, product_, b_, a_, c_, c_, preference, most_candidates,
                                found.data(), &candidates_);
  }
  static_cast<void>(api_.preference_destroy(preference));
  if (status == CUBLAS_STATUS_NOT_SUPPORTED || (status == CUBLAS_STATUS_SUCCESS && candidates_ == 0)) {
    throw Failure(FailureKind::unsupported, "cuBLASLt knows no algorithm for this product on this GPU");
  }
  api_.check(status, "asking cuBLASLt for algorithms");

  const DriverApi& driver = context_.driver();
  const CUstream stream = context_.stream();
  const Event start = make_event(driver);
  const Event stop = make_event(driver);
  float best = std::numeric_limits<float>::infinity();
  for (int i = 0; i < candidates_; ++i) {
    const auto& candidate = found.at(static_cast<std::size_t>(i));
    // One that refuses is left out; the first execution is not counted.
    if (candidate.state != CUBLAS_STATUS_SUCCESS || multiply(0, candidate.algo) != CUBLAS_STATUS_SUCCESS)
      continue;
    driver.check(driver.event_record(start.get(), stream), "recording the start event");
    for (int trial = 0; trial < trials; ++trial) {
      api_.check(multiply(0, candidate.algo), "multiplying with cuBLASLt");
    }
    driver.check(driver.event_record(stop.get(), stream), "recording the stop event");
    driver.check(driver.event_synchronize(stop.get()), "running " + title());
    float milliseconds = 0;
    driver.check(driver.event_elapsed_time(&milliseconds, start.get(), stop.get()),
                 "reading the event times");
    if (milliseconds >= best) continue;
    best = milliseconds;
    algorithm_ = candidate.algo;
    chosen_ = i;
  }
  if (best == std::numeric_limits<float>::infinity()) {
    throw Failure(FailureKind::unsupported, "none of the " + std::to_string(candidates_) +
                                                " algorithms that cuBLASLt proposes runs on this product");
  }
}

cublasStatus_t NarrowMatmul::multiply(std::uint32_t set, const cublasLtMatmulAlgo_t& algorithm) const {
  const float one = 1;
  const float zero = 0;
  const auto at = [&](std::size_t buffer) {
    return reinterpret_cast<void*>(buffers_.get(set, buffer).address());
  };
  return api_.matmul(handle_, product_, &one, at(shape_.b), b_, at(shape_.a), a_, &zero, at(shape_.c), c_,
                     at(shape_.c), c_, &algorithm, reinterpret_cast<void*>(workspace_.get()),
                     narrow_workspace_bytes, context_.stream());
}

gpu::Notes NarrowMatmul::notes() const {
  return {
      {"library", "cuBLASLt " + std::to_string(api_.get_version())},
      {"compute_type", shape_.type == DType::f32 ? "CUBLAS_COMPUTE_32F_FAST_TF32" : "CUBLAS_COMPUTE_32F"},
      {"algorithm", "number " + std::to_string(chosen_ + 1) + " of " + std::to_string(candidates_) +
                        " proposed, the fastest in a trial"},
      {"workspace_bytes", std::to_string(narrow_workspace_bytes)}};
}

}  // namespace

std::unique_ptr<gpu::Work> make_cublaslt_matmul(Context& context, const Buffers& buffers) {
  return std::make_unique<NarrowMatmul>(context, buffers);
}

}  // namespace benchctl::cuda
