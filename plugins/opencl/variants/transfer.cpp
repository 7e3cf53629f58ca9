#include "table.hpp"
#include "transfer_work.hpp"

namespace benchctl::opencl {

namespace {

VariantInfo copies() {
  VariantInfo variant;
  variant.workload = "transfer";
  variant.name = "memcpy";
  variant.doc =
      "The driver's copies, from and to a mapped buffer of its own where memory is pinned; limited by "
      "the bus. Samples of pageable memory cannot be gated.";
  // One queue, in order, does one after the other.
  variant.require = {"direction != 'both'"};
  return variant;
}

std::unique_ptr<Work> make(const OpenDevice& device, const Buffers& buffers,
                           const PrepareRequest& /*request*/) {
  return std::make_unique<TransferWork>(device, buffers);
}

const Table::Registration transfer_registration([] {
  return std::vector<Table::Entry>{{copies(), &make}};
});

}  // namespace

}  // namespace benchctl::opencl
