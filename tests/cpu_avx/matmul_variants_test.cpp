// Every variant of matmul against a compensated loop.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <limits>

#include "cpu_avx/plugin_under_test.hpp"
#include "expr/expression.hpp"
#include "workloads/plain_product.hpp"

using namespace benchctl;
using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Largest |C - truth|, not a number if any element of C is none.
template <class T>
double worst_error(const std::vector<T>& c, const std::vector<double>& truth) {
  double worst = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double error = std::abs(static_cast<double>(c[i]) - truth[i]);
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

/// Certain bound of k products and sums, for inputs below 1.
template <class T>
double bound(std::size_t k) {
  const double roundoff = std::numeric_limits<T>::epsilon() / 2;
  return roundoff * static_cast<double>(k) * static_cast<double>(k + 1) / 2 + roundoff;
}

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

TEMPLATE_TEST_CASE("every variant is right on awkward sizes and touches nothing else", "", float, double) {
  // The last four exceed one block of the AVX kernels in k, m and n, and their register tiles by one.
  const std::vector<std::array<std::size_t, 3>> shapes{
      {1, 1, 1},   {2, 2, 2},     {3, 3, 3},   {17, 17, 17}, {33, 65, 129},  {64, 64, 64},  {100, 1, 7},
      {1, 100, 5}, {14, 32, 256}, {6, 16, 57}, {5, 8, 600},  {190, 33, 300}, {3, 1900, 20}, {15, 31, 257}};
  const auto plugin = load_cpu_avx();
  const DeviceInfo device = plugin->backend()->devices().devices.at(0);
  const auto session = plugin->backend()->open("0", {});
  for (const auto& [m, n, k] : shapes) {
    DeviceProduct<TestType> product(*session, m, n, k);
    const auto truth =
        compensated_product<TestType>(product.input(0), product.input(1), product.m, product.n, product.k);
    for (const VariantInfo& variant : variants_of(*plugin->backend(), "matmul")) {
      if (!runs_on(variant, device)) continue;
      for (const Parameters& tunables : settings(variant, device.compute_units)) {
        CAPTURE(variant.name, m, n, k, tunables.size());
        const auto prepared = product.prepare(variant, tunables);
        product.poison(0);
        CHECK(prepared->run(0) > 0);
        CHECK(worst_error(product.output(), truth) <= bound<TestType>(k));
        // The whole result is written again, not added to.
        CHECK(prepared->run(0) > 0);
        CHECK(worst_error(product.output(), truth) <= bound<TestType>(k));
        CHECK(product.surroundings_kept());
      }
    }
  }
}

TEST_CASE("more threads than rows and columns are no harm") {
  const auto plugin = load_cpu_avx();
  const DeviceInfo device = plugin->backend()->devices().devices.at(0);
  const auto session = plugin->backend()->open("0", {});
  DeviceProduct<float> product(*session, 1, 1, 3);
  const auto truth = compensated_product<float>(product.input(0), product.input(1), 1, 1, 3);
  for (const char* name : {"naive_mt", "avx2", "avx512", "vendor"}) {
    const VariantInfo& variant = variant_named(*plugin->backend(), name);
    if (!runs_on(variant, device)) continue;
    product.poison(0);
    const auto prepared = product.prepare(variant, {{"threads", std::int64_t{0}}});
    prepared->run(0);
    CHECK(worst_error(product.output(), truth) <= bound<float>(3));
    CHECK(prepared->notes().at("threads") == std::to_string(device.compute_units));
  }
}

TEST_CASE("each set of buffers has its own contents") {
  const auto plugin = load_cpu_avx();
  const auto session = plugin->backend()->open("0", {});
  DeviceProduct<double> product(*session, 9, 10, 11, 3);
  const auto prepared = product.prepare(variant_named(*plugin->backend(), "tiled"));
  prepared->run(1);
  CHECK(std::isnan(product.output(0)[0]));
  CHECK(std::isnan(product.output(2)[0]));
  const auto truth = compensated_product<double>(product.input(0, 1), product.input(1, 1), 9, 10, 11);
  CHECK(worst_error(product.output(1), truth) <= bound<double>(11));
  const Failure missing = failure_of([&] { prepared->run(3); });
  CHECK(missing.kind() == FailureKind::launch_error);
  CHECK_THAT(missing.what(), ContainsSubstring("set 3") && ContainsSubstring("3 exist"));
}

TEST_CASE("the variant table is complete and its conditions hold for the defaults") {
  const auto plugin = load_cpu_avx();
  std::vector<std::string> names;
  for (const VariantInfo& variant : variants_of(*plugin->backend(), "matmul")) {
    CAPTURE(variant.name);
    names.push_back(variant.name);
    CHECK(variant.workload == "matmul");
    CHECK(!variant.doc.empty());
    CHECK(!variant.kernel.has_value());
    CHECK(variant.precision == "dtype");
    CHECK(variant.dtypes == std::vector<DType>{DType::f32, DType::f64});
    CHECK(variant.vendor == (variant.name == "vendor"));
    for (const TunableInfo& tunable : variant.tunables) {
      CHECK(!tunable.doc.empty());
      REQUIRE(!tunable.require.empty());
      for (const std::string& text : tunable.require) {
        const auto condition = Expression::parse(text);
        CHECK(condition.holds({{tunable.name, tunable.default_value}}));
        const bool word = std::holds_alternative<std::string>(tunable.default_value);
        CHECK_FALSE(
            condition.holds({{tunable.name, word ? Value(std::string("-")) : Value(std::int64_t{-1})}}));
      }
    }
  }
  std::ranges::sort(names);
  CHECK(names ==
        std::vector<std::string>{"avx2", "avx512", "naive", "naive_mt", "packed", "tiled", "vendor"});
  CHECK(std::get<std::int64_t>(variant_named(*plugin->backend(), "tiled").tunables[0].default_value) == 32);
  CHECK(std::get<std::int64_t>(variant_named(*plugin->backend(), "avx512").tunables[0].default_value) == 1);
  CHECK(std::get<std::int64_t>(variant_named(*plugin->backend(), "naive_mt").tunables[0].default_value) ==
        0);
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
