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

std::unique_ptr<Prepared> make(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return std::make_unique<PreparedTransfer>(problem);
}

const Table::Registration transfer_registration([] {
  return std::vector<Table::Entry>{{copies(), &make}};
});

}  // namespace

}  // namespace benchctl::cuda
