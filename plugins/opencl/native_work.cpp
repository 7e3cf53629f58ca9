#include "native_work.hpp"

#ifdef BENCHCTL_OPENCL_CLBLAST
#include "clblast.hpp"
#include "clblast_work.hpp"
#endif

namespace benchctl::opencl {

std::vector<VariantInfo> native_variants() {
  std::vector<VariantInfo> variants;
#ifdef BENCHCTL_OPENCL_CLBLAST
  VariantInfo vendor;
  vendor.workload = "matmul";
  vendor.name = "vendor";
  vendor.doc = "CLBlast's GEMM, with the tuning that it has for the device; the yardstick.";
  vendor.dtypes = {DType::f32, DType::f64};
  vendor.vendor = true;
  variants.push_back(std::move(vendor));
#endif
  return variants;
}

std::unique_ptr<Work> make_native_work(const VariantInfo& variant,
                                       [[maybe_unused]] const OpenDevice& device,
                                       [[maybe_unused]] const Buffers& buffers) {
#ifdef BENCHCTL_OPENCL_CLBLAST
  if (variant.workload == "matmul" && variant.name == "vendor") return make_clblast_matmul(device, buffers);
#endif
  throw Failure(FailureKind::unsupported,
                "this build of the OpenCL plugin has no variant " + variant.workload + "/" + variant.name);
}

void forget_native_work() {
#ifdef BENCHCTL_OPENCL_CLBLAST
  clear_clblast();
#endif
}

}  // namespace benchctl::opencl
