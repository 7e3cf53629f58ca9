// Variants of workload `reduce`.
#include <benchctl/access_spec.hpp>

#include "table.hpp"
#include "variants/cpu_tunables.hpp"

#ifdef BENCHCTL_OPENCL_CLBLAST
#include "vendor/clblast_work.hpp"
#endif

namespace benchctl::opencl {

namespace {

/// For CPUs: few groups of one work-item, joined by the one that ends last.
VariantInfo cpu_streams() {
  const std::string grid = cpu_stream_groups("n * sizeof(dtype) * if(op == 'dot', 2, 1)");
  LaunchSpec only =
      gpu::reduce_launch("cpu_streams", "", grid, {"x", "y|x", "partial", "finished", "result", "n"});
  only.block = {"1", "1", "1"};
  only.defines["BLOCK"] = "1";
  only.defines["GRID"] = grid;
  only.defines["WIDTH"] = "width";
  only.source += ".cl";
  VariantInfo info;
  info.workload = "reduce";
  info.name = "cpu_streams";
  info.doc =
      "For CPUs: a stream per group of one work-item, eight vectors in flight, one launch; limited by "
      "memory bandwidth.";
  info.dtypes = {DType::f32, DType::f64};
  info.kernel = KernelSpec{{only}, {}};
  info.tunables = cpu_stream_tunables();
  info.device_types = {DeviceType::cpu};
  info.kernel->scratch = {{"partial", DType::f32, grid + " * sizeof(dtype) / 4"},
                          {"finished", DType::u32, "1"}};  // the kernel leaves it at zero
  info.access = {patterns::whole(AccessKind::read, "x"), patterns::whole(AccessKind::read, "y")};
  info.access.back().active = "op == 'dot'";
  return info;
}

#ifdef BENCHCTL_OPENCL_CLBLAST
VariantInfo reduce_vendor() {
  VariantInfo vendor;
  vendor.workload = "reduce";
  vendor.name = "vendor";
  vendor.doc = "CLBlast's sum, dot and nrm2, the yardstick; it has no other of these operations.";
  vendor.dtypes = {DType::f32, DType::f64};
  vendor.vendor = true;
  vendor.require = {"op == 'sum' or op == 'dot' or op == 'norm'",
                    // Its squares are not scaled: they overflow, or vanish.
                    "not (op == 'norm' and dtype == 'f32' and (values == 'huge' or values == 'denormal'))"};
  return vendor;
}

std::unique_ptr<Work> make_reduce_vendor(const OpenDevice& device, const Buffers& buffers,
                                         const PrepareRequest& /*request*/) {
  return make_clblast_reduce(device, buffers);
}
#endif

const Table::Registration reduce_registration([] {
  std::vector<Table::Entry> entries = Table::source_files(gpu::reduce_variants(language()));
  for (VariantInfo& variant : gpu::reduce_pack_variants(language()))
    entries.push_back({std::move(variant)});
  entries.push_back({cpu_streams()});
#ifdef BENCHCTL_OPENCL_CLBLAST
  entries.push_back({reduce_vendor(), &make_reduce_vendor});
#endif
  return entries;
});

}  // namespace

}  // namespace benchctl::opencl
