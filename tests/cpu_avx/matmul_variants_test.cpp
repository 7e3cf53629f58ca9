// Settings of variants of matmul. That each is right on awkward sizes is what the conformance kit asks.
#include "cpu_avx/plugin_under_test.hpp"
#include "support/catch.hpp"
#include "workloads/plain_product.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// What to set for the variant: every tile and thread count worth trying.
std::vector<Parameters> settings(const VariantInfo& variant, unsigned cores) {
  if (has_tunable(variant, "tile")) {
    std::vector<Parameters> all;
    for (const std::int64_t tile : {std::int64_t{1}, std::int64_t{5}, std::int64_t{32}, std::int64_t{1000},
                                    std::numeric_limits<std::int64_t>::max()}) {
      all.push_back({{"tile", tile}});
    }
    return all;
  }
  if (has_tunable(variant, "threads")) {
    std::vector<Parameters> all{{{"threads", std::int64_t{0}}}, {{"threads", std::int64_t{1}}}};
    if (cores >= 2) all.push_back({{"threads", std::int64_t{2}}});
    return all;
  }
  return {{}};
}

}  // namespace

TEST_CASE("every tile and number of threads gives the product and touches nothing else") {
  constexpr std::size_t k = 129;
  constexpr double bound = 0x1p-24 * k * (k + 1) / 2 + 0x1p-24;  // certain, for inputs below 1
  const auto plugin = load_cpu_avx();
  const DeviceInfo device = plugin->backend()->devices().devices.at(0);
  const auto session = plugin->backend()->open("0", {});
  DeviceProduct<float> product(*session, 33, 65, k);
  const auto truth = compensated_product<float>(product.input(0), product.input(1), 33, 65, k);
  for (const VariantInfo& variant : variants_of(*plugin->backend(), "matmul")) {
    if (!runs_on(variant, device)) continue;
    for (const Parameters& tunables : settings(variant, device.compute_units)) {
      CAPTURE(variant.name, tunables.size());
      const auto prepared = product.prepare(variant, tunables);
      product.poison(0);
      CHECK(prepared->run(0) > 0);
      const std::vector<float> c = product.output();
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < c.size(); ++i) {
        if (!(std::abs(static_cast<double>(c[i]) - truth[i]) <= bound)) ++wrong;
      }
      CHECK(wrong == 0);
      CHECK(product.surroundings_kept());
    }
  }
}

TEST_CASE("settings that cannot be had are refused with the numbers") {
  const auto plugin = load_cpu_avx();
  const DeviceInfo device = plugin->backend()->devices().devices.at(0);
  const auto session = plugin->backend()->open("0", {});
  DeviceProduct<float> product(*session, 4, 4, 4);
  const std::int64_t too_many = std::int64_t{device.compute_units} + 1;
  for (const char* name : {"naive_mt", "vendor"}) {
    const VariantInfo& variant = variant_named(*plugin->backend(), name);
    const Failure failure = failure_of([&] { product.prepare(variant, {{"threads", too_many}}); });
    CHECK(failure.kind() == FailureKind::unsupported);
    CHECK_THAT(failure.what(), ContainsSubstring("threads = " + std::to_string(too_many)) &&
                                   ContainsSubstring(std::to_string(device.compute_units) + " cores"));
    CHECK(failure_of([&] {
            product.prepare(variant, {{"threads", std::int64_t{-1}}});
          }).kind() == FailureKind::unsupported);
    CHECK_NOTHROW(product.prepare(variant, {{"threads", std::int64_t{device.compute_units}}}));
  }
  const VariantInfo& tiled = variant_named(*plugin->backend(), "tiled");
  CHECK_THAT(failure_of([&] {
               product.prepare(tiled, {{"tile", std::int64_t{0}}});
             }).what(),
             ContainsSubstring("tile = 0"));
  CHECK_THAT(failure_of([&] {
               product.prepare(tiled, {{"tile", std::string("big")}});
             }).what(),
             ContainsSubstring("'tile'"));
  VariantInfo unknown = tiled;
  unknown.name = "warp";
  CHECK_THAT(failure_of([&] { product.prepare(unknown); }).what(), ContainsSubstring("'warp'"));
  VariantInfo foreign = tiled;
  foreign.workload = "transpose";
  CHECK_THAT(failure_of([&] { product.prepare(foreign); }).what(), ContainsSubstring("'transpose'"));
}

TEST_CASE("the vendor variant names its library and the kernel that it chose") {
  const auto plugin = load_cpu_avx();
  const auto session = plugin->backend()->open("0", {});
  DeviceProduct<float> product(*session, 4, 4, 4);
  const auto notes =
      product.prepare(variant_named(*plugin->backend(), "vendor"), {{"threads", std::int64_t{1}}})->notes();
  CHECK_THAT(notes.at("library"), ContainsSubstring("OpenBLAS"));
  CHECK(!notes.at("library_core").empty());
  CHECK(notes.at("threads") == "1");
}
