// Variants of workload `copy`.
#include "measure/execution.hpp"
#include "table.hpp"

namespace benchctl::cuda {

namespace {

VariantInfo copy_vendor() {
  VariantInfo variant = gpu_variant("copy", "vendor", "The driver's copy within a device. The yardstick.");
  variant.dtypes = {DType::f32, DType::f64};
  variant.vendor = true;
  return variant;
}

class VendorCopy final : public PreparedExecution {
 public:
  explicit VendorCopy(DeviceProblem& problem)
      : PreparedExecution(problem),
        in_(problem.spec().position_of_buffer("in")),
        out_(problem.spec().position_of_buffer("out")) {}

  [[nodiscard]] Resources resources() const override { return {}; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return {{"function", "cuMemcpyDtoDAsync"}};
  }

 protected:
  void enqueue(std::uint32_t set) override {
    const DriverApi& driver = context().driver();
    driver.check(driver.memcpy_dtod_async(problem().address(set, out_), problem().address(set, in_),
                                          problem().spec().buffers[out_].bytes(), context().stream()),
                 "copying on the device");
  }
  [[nodiscard]] std::uint32_t operations() const override { return 1; }
  [[nodiscard]] std::string title() const override { return "the driver's copy"; }

 private:
  std::size_t in_;
  std::size_t out_;
};

std::unique_ptr<Prepared> make_copy_vendor(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return std::make_unique<VendorCopy>(problem);
}

const Table::Registration copy_registration([] {
  std::vector<Table::Entry> entries = Table::source_files(gpu::copy_variants(language()));
  entries.push_back({copy_vendor(), &make_copy_vendor});
  return entries;
});

}  // namespace

}  // namespace benchctl::cuda
