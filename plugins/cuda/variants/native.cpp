// Variants that are not kernel files: the vendor's libraries, and the driver's copies.
#include "prepared_transfer.hpp"
#include "table.hpp"
#include "vendor/prepared_blas_reduce.hpp"
#include "vendor/prepared_copy.hpp"
#include "vendor/prepared_matmul.hpp"
#include "vendor/prepared_narrow_matmul.hpp"
#include "vendor/prepared_transpose.hpp"

#ifdef BENCHCTL_CUDA_CUB
#include "vendor/prepared_reduce.hpp"
#endif

namespace benchctl::cuda {

namespace {

template <class Made>
std::unique_ptr<Prepared> make(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return std::make_unique<Made>(problem);
}

VariantInfo vendor(const char* workload, const char* name, const char* doc,
                   std::vector<DType> dtypes = {DType::f32, DType::f64}) {
  VariantInfo info;
  info.workload = workload;
  info.name = name;
  info.doc = doc;
  info.dtypes = std::move(dtypes);
  info.device_types = {DeviceType::gpu};
  info.vendor = true;
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
  VariantInfo info = vendor("transfer", "memcpy",
                            "The driver's asynchronous copies, both directions in two streams; limited by "
                            "the bus. Samples of pageable memory cannot be gated.",
                            {});
  info.vendor = false;
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

const Table::Registration native_registration([] {
  std::vector<Table::Entry> entries{
      {vendor("copy", "vendor", "The driver's copy within a device. The yardstick."), &make<PreparedCopy>},
      {vendor("matmul", "vendor", "cuBLAS, f32 in pedantic mode, without tf32. The yardstick."),
       &make<PreparedMatmul>},
      {narrow("vendor_tf32",
              "cuBLASLt with tf32 arithmetic on f32 matrices, the fastest of the algorithms that it "
              "proposes. A yardstick.",
              DType::f32, "tf32"),
       &make<PreparedNarrowMatmul>},
      {narrow(
           "vendor_bf16",
           "cuBLASLt on bf16 matrices with sums in f32, the fastest of the algorithms that it proposes. A "
           "yardstick.",
           DType::bf16, "bf16"),
       &make<PreparedNarrowMatmul>},
      {blas_reduce(), &make<PreparedBlasReduce>},
      {transfer(), &make<PreparedTransfer>},
      {vendor("transpose", "vendor", "cuBLAS's geam with one operand. The yardstick."),
       &make<PreparedTranspose>}};
#ifdef BENCHCTL_CUDA_CUB
  entries.push_back(
      {vendor("reduce", "vendor", "cub::DeviceReduce with the workload's own operators, the yardstick."),
       &make<PreparedReduce>});
#endif
  return entries;
});

}  // namespace

}  // namespace benchctl::cuda
