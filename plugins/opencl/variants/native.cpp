// Variants that are not kernel files: the driver's copies, and CLBlast.
#include "device.hpp"
#include "gpu/native_work.hpp"

#ifdef BENCHCTL_OPENCL_CLBLAST
#include "vendor/clblast_variants.hpp"
#endif

namespace benchctl::opencl {

namespace {

using Table = gpu::Table<Device>;

std::unique_ptr<gpu::Work> make_copy(Device& device, const Buffers& buffers) {
  return gpu::copy_of(device, buffers, "in", "out", "clEnqueueCopyBuffer");
}

std::unique_ptr<gpu::Work> make_transfer(Device& device, const Buffers& buffers) {
  return std::make_unique<gpu::Transfer<Device>>(device, buffers);
}

const Table::Registration native_registration([] {
  return std::vector<Table::Entry>{
      {gpu::native_variant("copy", "vendor", "The driver's own copy of a buffer. The yardstick."),
       &make_copy},
      // One queue, in order, does one after the other.
      {gpu::transfer_variant("The driver's copies, from and to a mapped buffer of its own where memory is "
                             "pinned; limited by the bus. Samples of pageable memory cannot be gated.",
                             {"direction != 'both'"}),
       &make_transfer}};
});

#ifdef BENCHCTL_OPENCL_CLBLAST

VariantInfo clblast_reduce() {
  VariantInfo info = gpu::native_variant(
      "reduce", "vendor",
      "CLBlast's sum, dot and nrm2, the yardstick; it has no other of these operations.");
  info.require = {"op == 'sum' or op == 'dot' or op == 'norm'",
                  // Its squares are not scaled: they overflow, or vanish.
                  "not (op == 'norm' and dtype == 'f32' and (values == 'huge' or values == 'denormal'))"};
  return info;
}

const Table::Registration clblast_registration([] {
  return std::vector<Table::Entry>{
      {gpu::native_variant("matmul", "vendor",
                           "CLBlast's GEMM, with the tuning that it has for the device; the yardstick."),
       &make_clblast_matmul},
      {clblast_reduce(), &make_clblast_reduce},
      {gpu::native_variant("transpose", "vendor", "CLBlast's omatcopy. The yardstick."),
       &make_clblast_transpose}};
});

#endif

}  // namespace

}  // namespace benchctl::opencl
