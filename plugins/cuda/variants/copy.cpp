// Variants of workload `copy`.
#include <benchctl/patterns/access_spec.hpp>

#include "execution.hpp"
#include "table.hpp"

namespace benchctl::cuda {

namespace {

VariantInfo copy_variant(const char* name, const char* doc) {
  VariantInfo variant = gpu_variant("copy", name, doc);
  variant.dtypes = {DType::f32, DType::f64};
  return variant;
}

/// Each thread moves `packs` packs of `width` elements.
VariantInfo kernel_variant(const char* name, const char* doc, LaunchSpec launch, const std::string& width,
                           const std::string& packs) {
  VariantInfo variant = copy_variant(name, doc);
  variant.architectures = all_architectures();
  variant.tunables = {{"block",
                       std::int64_t{256},
                       "Threads per block.",
                       {"block >= 32", "block % 32 == 0"},
                       {std::int64_t{128}, std::int64_t{256}, std::int64_t{1024}}}};
  launch.source = std::string("copy_") + name + ".cu";
  launch.entry = std::string("copy_") + name;
  launch.defines["REAL"] = "ctype(dtype)";
  launch.block = {"block", "1", "1"};
  launch.grid = {"ceil_div(n, block * " + width + " * " + packs + ")", "1", "1"};
  launch.arguments = {"in", "out", "n"};
  const std::string pack = "(bx * block * " + packs + " + t)";
  variant.access = {patterns::pack(AccessKind::read, "in", pack, width, packs),
                    patterns::pack(AccessKind::write, "out", pack, width, packs)};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

VariantInfo copy_plain() {
  return kernel_variant("plain", "One element per thread; limited by memory bandwidth.", {}, "1", "1");
}

VariantInfo copy_vectorized() {
  LaunchSpec launch;
  launch.defines["WIDTH"] = "width";
  launch.defines["PACKS"] = "packs";
  VariantInfo variant =
      kernel_variant("vectorized",
                     "`packs` times `width` elements per thread, all under way at once; limited by memory "
                     "bandwidth.",
                     launch, "width", "packs");
  variant.tunables.push_back({"width",
                              std::int64_t{2},
                              "Elements per access; with their size at most 16 bytes.",
                              {"width == 1 or width == 2 or width == 4", "width * sizeof(dtype) <= 16"},
                              {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}}});
  variant.tunables.push_back({"packs",
                              std::int64_t{4},
                              "Accesses per thread, a block apart.",
                              {"packs >= 1", "packs <= 16"},
                              {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}, std::int64_t{8}}});
  return variant;
}

VariantInfo copy_vendor() {
  VariantInfo variant = copy_variant("vendor", "The driver's copy within a device. The yardstick.");
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
  return std::vector<Table::Entry>{{copy_plain()}, {copy_vectorized()}, {copy_vendor(), &make_copy_vendor}};
});

}  // namespace

}  // namespace benchctl::cuda
