// Variants of workload `copy`.
#include "driver/error.hpp"
#include "table.hpp"

namespace benchctl::opencl {

namespace {

VariantInfo vendor() {
  VariantInfo variant;
  variant.workload = "copy";
  variant.name = "vendor";
  variant.doc = "The driver's own copy of a buffer. The yardstick.";
  variant.dtypes = {DType::f32, DType::f64};
  variant.vendor = true;
  return variant;
}

class VendorCopy final : public Work {
 public:
  VendorCopy(const OpenDevice& device, const Buffers& buffers)
      : device_(device),
        buffers_(buffers),
        in_(buffers.spec().position_of_buffer("in")),
        out_(buffers.spec().position_of_buffer("out")) {}

  void enqueue(std::uint32_t set, const Bracket& bracket) override {
    // One command is the first and the last.
    EventHandle event;
    check(
        api().clEnqueueCopyBuffer(device_.queue.get(), buffers_.get(set, in_), buffers_.get(set, out_), 0,
                                  0, buffers_.spec().buffers[out_].bytes(), bracket.gate == nullptr ? 0 : 1,
                                  bracket.gate == nullptr ? nullptr : &bracket.gate, event.out()),
        "copy a buffer");
    if (bracket.first != nullptr && bracket.last != nullptr) {
      check(api().clRetainEvent(event.get()), "keep an event");
      *bracket.first = EventHandle(event.get());
    }
    EventHandle* const receiver = bracket.last != nullptr ? bracket.last : bracket.first;
    if (receiver != nullptr) *receiver = std::move(event);
  }
  [[nodiscard]] std::uint32_t commands() const override { return 1; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return {{"function", "clEnqueueCopyBuffer"}};
  }

 private:
  const OpenDevice& device_;
  const Buffers& buffers_;
  std::size_t in_;
  std::size_t out_;
};

std::unique_ptr<Work> make_vendor(const OpenDevice& device, const Buffers& buffers,
                                  const PrepareRequest& /*request*/) {
  return std::make_unique<VendorCopy>(device, buffers);
}

const Table::Registration copy_registration([] {
  std::vector<Table::Entry> entries = Table::source_files(gpu::copy_variants(language()));
  entries.push_back({vendor(), &make_vendor});
  return entries;
});

}  // namespace

}  // namespace benchctl::opencl
