// Variants that are not kernel files: the vendor's libraries, and the driver's copies.
#include "gpu/native_work.hpp"
#include "vendor/variants.hpp"

namespace benchctl::cuda {

namespace {

/// Copies in both directions at once: what goes to the host has a second stream, which starts when the main
/// one gets there, and the main one waits for it at the end, so that events of the main stream bracket
/// both.
class TwoWayTransfer final : public gpu::Transfer<Context> {
 public:
  TwoWayTransfer(Context& context, const Buffers& buffers)
      : Transfer(context, buffers),
        second_(make_stream(context.driver())),
        fork_(make_event(context.driver(), CU_EVENT_DISABLE_TIMING)),
        join_(make_event(context.driver(), CU_EVENT_DISABLE_TIMING)) {}

  void enqueue(std::uint32_t set) override {
    const DriverApi& driver = device_.driver();
    follow(second_.get(), fork_.get(), device_.stream());
    enqueue_upload(set);
    driver.check(driver.memcpy_dtoh_async(host(set, download_->target).data(),
                                          buffers_.get(set, download_->source).address(), download_->bytes,
                                          second_.get()),
                 "copying from the device");
    follow(device_.stream(), join_.get(), second_.get());
  }

 private:
  /// What `later` has from now on waits for what `earlier` has until now.
  void follow(CUstream later, CUevent event, CUstream earlier) const {
    const DriverApi& driver = device_.driver();
    driver.check(driver.event_record(event, earlier), "recording an event");
    driver.check(driver.stream_wait_event(later, event, CU_EVENT_WAIT_DEFAULT),
                 "making a stream wait for another");
  }

  Stream second_;
  Event fork_;
  Event join_;
};

std::unique_ptr<gpu::Work> make_transfer(Context& context, const Buffers& buffers) {
  const ProblemSpec& spec = buffers.spec();
  if (spec.buffer_index("host_source") && spec.buffer_index("device_source")) {
    return std::make_unique<TwoWayTransfer>(context, buffers);
  }
  return std::make_unique<gpu::Transfer<Context>>(context, buffers);
}

std::unique_ptr<gpu::Work> make_copy(Context& context, const Buffers& buffers) {
  return gpu::copy_of(context, buffers, "in", "out", "cuMemcpyDtoDAsync");
}

VariantInfo vendor(const char* workload, const char* name, const char* doc,
                   std::vector<DType> dtypes = {DType::f32, DType::f64}) {
  VariantInfo info = gpu::native_variant(workload, name, doc, std::move(dtypes));
  info.device_types = {DeviceType::gpu};
  return info;
}

/// With narrower arithmetic, on tensor cores.
VariantInfo narrow(const char* name, const char* doc, DType type, const std::string& precision) {
  VariantInfo info = vendor("matmul", name, doc, {type});
  info.precision = precision;
  info.compute_path = "mma_" + precision;
  return info;
}

VariantInfo transfer() {
  VariantInfo info = gpu::transfer_variant(
      "The driver's asynchronous copies, both directions in two streams; limited by "
      "the bus. Samples of pageable memory cannot be gated.",
      {});
  info.device_types = {DeviceType::gpu};
  return info;
}

VariantInfo blas_reduce() {
  VariantInfo info =
      vendor("reduce", "vendor_blas", "cuBLAS's nrm2 and dot, the yardstick of these two operations.");
  // Its norm of a single denormal is zero; of infinities and NaNs together it is an infinity.
  info.require = {"op == 'norm' or op == 'dot'", "not (values == 'denormal' and op == 'norm')",
                  "not (values == 'special' and op == 'norm')"};
  return info;
}

const gpu::Table<Context>::Registration native_registration([] {
  std::vector<gpu::Table<Context>::Entry> entries{
      {vendor("copy", "vendor", "The driver's copy within a device. The yardstick."), &make_copy},
      {vendor("matmul", "vendor", "cuBLAS, f32 in pedantic mode, without tf32. The yardstick."),
       &make_cublas_matmul},
      {narrow("vendor_tf32",
              "cuBLASLt with tf32 arithmetic on f32 matrices, the fastest of the algorithms that it "
              "proposes. A yardstick.",
              DType::f32, "tf32"),
       &make_cublaslt_matmul},
      {narrow(
           "vendor_bf16",
           "cuBLASLt on bf16 matrices with sums in f32, the fastest of the algorithms that it proposes. A "
           "yardstick.",
           DType::bf16, "bf16"),
       &make_cublaslt_matmul},
      {blas_reduce(), &make_cublas_reduce},
      {transfer(), &make_transfer},
      {vendor("transpose", "vendor", "cuBLAS's geam with one operand. The yardstick."),
       &make_cublas_transpose}};
#ifdef BENCHCTL_CUDA_CUB
  entries.push_back(
      {vendor("reduce", "vendor", "cub::DeviceReduce with the workload's own operators, the yardstick."),
       &make_cub_reduce});
#endif
  return entries;
});

}  // namespace

}  // namespace benchctl::cuda
