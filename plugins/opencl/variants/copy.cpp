// Variants of workload `copy`.
#include <benchctl/patterns/access_spec.hpp>

#include "error.hpp"
#include "table.hpp"

namespace benchctl::opencl {

namespace {

VariantInfo copy_variant(const char* name, const char* doc) {
  VariantInfo variant;
  variant.workload = "copy";
  variant.name = name;
  variant.doc = doc;
  variant.dtypes = {DType::f32, DType::f64};
  return variant;
}

VariantInfo kernel_variant(const char* name, const char* doc, LaunchSpec launch, const std::string& width) {
  VariantInfo variant = copy_variant(name, doc);
  variant.tunables = {{"block",
                       std::int64_t{256},
                       "Work-items per work-group.",
                       {"block >= 1"},
                       {std::int64_t{64}, std::int64_t{256}}}};
  launch.source = std::string("copy_") + name + ".cl";
  launch.entry = std::string("copy_") + name;
  launch.defines["REAL"] = "ctype(dtype)";
  launch.defines["USE_FP64"] = "dtype == 'f64'";
  launch.block = {"block", "1", "1"};
  launch.grid = {"ceil_div(n, block * " + width + ")", "1", "1"};
  launch.arguments = {"in", "out", "n"};
  variant.access = {patterns::pack(AccessKind::read, "in", "i", width),
                    patterns::pack(AccessKind::write, "out", "i", width)};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

VariantInfo copy_plain() {
  return kernel_variant("plain", "One element per work-item; limited by memory bandwidth.", {}, "1");
}

VariantInfo copy_vectorized() {
  LaunchSpec launch;
  launch.defines["WIDTH"] = "width";
  VariantInfo variant = kernel_variant(
      "vectorized", "`width` elements per work-item as one vector; limited by memory bandwidth.", launch,
      "width");
  variant.tunables.push_back({"width",
                              std::int64_t{4},
                              "Elements of a vector.",
                              {"width == 2 or width == 4 or width == 8 or width == 16"},
                              {std::int64_t{2}, std::int64_t{4}, std::int64_t{16}}});
  return variant;
}

VariantInfo vendor() {
  VariantInfo variant = copy_variant("vendor", "The driver's own copy of a buffer. The yardstick.");
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
  return std::vector<Table::Entry>{{copy_plain()}, {copy_vectorized()}, {vendor(), &make_vendor}};
});

}  // namespace

}  // namespace benchctl::opencl
