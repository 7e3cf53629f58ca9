// Variants that are not kernel files: the driver's copies, and CLBlast.
#include "copy_work.hpp"
#include "table.hpp"
#include "transfer_work.hpp"

#ifdef BENCHCTL_OPENCL_CLBLAST
#include "vendor/clblast_work.hpp"
#endif

namespace benchctl::opencl {

namespace {

VariantInfo native(const char* workload, const char* name, const char* doc) {
  VariantInfo info;
  info.workload = workload;
  info.name = name;
  info.doc = doc;
  return info;
}

VariantInfo vendor(const char* workload, const char* doc) {
  VariantInfo info = native(workload, "vendor", doc);
  info.dtypes = {DType::f32, DType::f64};
  info.vendor = true;
  return info;
}

template <class Made>
std::unique_ptr<Work> make(const OpenDevice& device, const Buffers& buffers,
                           const PrepareRequest& /*request*/) {
  return std::make_unique<Made>(device, buffers);
}

VariantInfo transfer() {
  VariantInfo info = native("transfer", "memcpy",
                            "The driver's copies, from and to a mapped buffer of its own where memory is "
                            "pinned; limited by the bus. Samples of pageable memory cannot be gated.");
  // One queue, in order, does one after the other.
  info.require = {"direction != 'both'"};
  return info;
}

const Table::Registration native_registration([] {
  return std::vector<Table::Entry>{
      {vendor("copy", "The driver's own copy of a buffer. The yardstick."), &make<CopyWork>},
      {transfer(), &make<TransferWork>}};
});

#ifdef BENCHCTL_OPENCL_CLBLAST

template <auto Make>
std::unique_ptr<Work> make_clblast(const OpenDevice& device, const Buffers& buffers,
                                   const PrepareRequest& /*request*/) {
  return Make(device, buffers);
}

VariantInfo clblast_reduce() {
  VariantInfo info =
      vendor("reduce", "CLBlast's sum, dot and nrm2, the yardstick; it has no other of these operations.");
  info.require = {"op == 'sum' or op == 'dot' or op == 'norm'",
                  // Its squares are not scaled: they overflow, or vanish.
                  "not (op == 'norm' and dtype == 'f32' and (values == 'huge' or values == 'denormal'))"};
  return info;
}

const Table::Registration clblast_registration([] {
  return std::vector<Table::Entry>{
      {vendor("matmul", "CLBlast's GEMM, with the tuning that it has for the device; the yardstick."),
       &make_clblast<make_clblast_matmul>},
      {clblast_reduce(), &make_clblast<make_clblast_reduce>},
      {vendor("transpose", "CLBlast's omatcopy. The yardstick."), &make_clblast<make_clblast_transpose>}};
});

#endif

}  // namespace

}  // namespace benchctl::opencl
