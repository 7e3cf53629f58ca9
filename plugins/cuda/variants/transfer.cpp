#include "prepared_transfer.hpp"
#include "table.hpp"

namespace benchctl::cuda {

namespace {

VariantInfo copies() {
  return gpu_variant(
      "transfer", "memcpy",
      "The driver's asynchronous copies, both directions in two streams; limited by the bus. "
      "Samples of pageable memory cannot be gated.");
}

VariantInfo zero_copy() {
  VariantInfo variant = gpu_variant("transfer", "zero_copy",
                                    "A kernel reads (h2d) or writes (d2h) the host's pinned memory, 16 "
                                    "bytes a thread; limited by the bus.");
  variant.require = {"memory == 'pinned'", "direction != 'both'"};
  variant.tunables = {gpu::block_tunable(language())};
  LaunchSpec launch;
  launch.source = "transfer_zero_copy";
  launch.entry = "transfer_zero_copy";
  launch.defines = {{"BYTES", "bytes"}};
  launch.arguments = {all_arguments};  // source and target
  launch.block = {"block", "1", "1"};
  launch.grid = {"ceil_div(bytes, 16 * block)", "1", "1"};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

std::unique_ptr<Prepared> make(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return std::make_unique<PreparedTransfer>(problem);
}

const Table::Registration transfer_registration([] {
  return std::vector<Table::Entry>{{copies(), &make}, {gpu::translated({zero_copy()}, language()).front()}};
});

}  // namespace

}  // namespace benchctl::cuda
