// Settings of variants of matmul. That each is right on awkward sizes is what the conformance kit asks.
#include "cpu_avx/plugin_under_test.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// What to set for the variant: every tile and thread count worth trying.
std::vector<Parameters> settings(const VariantInfo& variant, unsigned cores) {
  const Parameters known = tunables_of(variant);
  if (known.contains("tile")) {
    std::vector<Parameters> all;
    for (const std::int64_t tile : {std::int64_t{1}, std::int64_t{5}, std::int64_t{32}, std::int64_t{1000},
                                    std::numeric_limits<std::int64_t>::max()}) {
      all.push_back({{"tile", tile}});
    }
    return all;
  }
  if (known.contains("threads")) {
    std::vector<Parameters> all{{{"threads", std::int64_t{0}}}, {{"threads", std::int64_t{1}}}};
    if (cores >= 2) all.push_back({{"threads", std::int64_t{2}}});
    return all;
  }
  return {{}};
}

}  // namespace

TEST_CASE("every tile and number of threads gives the product and touches nothing else") {
  const Processor cpu;
  MatmulProblem product(*cpu.session, {33, 65, 129});
  for (const VariantInfo& variant : cpu.variants("matmul")) {
    for (const Parameters& tunables : settings(variant, cpu.lane.device.compute_units)) {
      CAPTURE(variant.name, tunables.size());
      const auto prepared = product.prepare(cpu.lane, variant.name, tunables);
      product.poison(0);
      CHECK(prepared->run(0) > 0);
      CHECK(product.fault(0) == "");
    }
  }
}

TEST_CASE("settings that cannot be had are refused with the numbers") {
  const Processor cpu;
  MatmulProblem product(*cpu.session, {4, 4, 4});
  const auto refusal = [&](const VariantInfo& variant, const char* tunable, const Value& value) {
    const Failure failure = failure_of([&] {
      static_cast<void>(
          product.device().prepare({&variant, tunables_of(variant, {{tunable, value}}), {}, {}}));
    });
    CHECK(failure.kind() == FailureKind::unsupported);
    return std::string(failure.what());
  };
  const std::int64_t cores = cpu.lane.device.compute_units;
  for (const char* name : {"naive_mt", "vendor"}) {
    CHECK_THAT(refusal(cpu.matmul(name), "threads", cores + 1),
               HasAll({"threads = " + std::to_string(cores + 1), std::to_string(cores) + " cores"}));
    CHECK_THAT(refusal(cpu.matmul(name), "threads", std::int64_t{-1}), ContainsSubstring("threads = -1"));
    CHECK_NOTHROW(product.prepare(cpu.lane, name, {{"threads", cores}}));
  }
  const VariantInfo& tiled = cpu.matmul("tiled");
  CHECK_THAT(refusal(tiled, "tile", std::int64_t{0}), ContainsSubstring("tile = 0"));
  CHECK_THAT(refusal(tiled, "tile", std::string("big")), ContainsSubstring("'tile'"));
  VariantInfo unknown = tiled;
  unknown.name = "warp";
  CHECK_THAT(refusal(unknown, "tile", std::int64_t{1}), ContainsSubstring("'warp'"));
  VariantInfo foreign = tiled;
  foreign.workload = "transpose";
  CHECK_THAT(refusal(foreign, "tile", std::int64_t{1}), ContainsSubstring("'transpose'"));
}

TEST_CASE("the vendor variant names its library and the kernel that it chose") {
  const Processor cpu;
  MatmulProblem product(*cpu.session, {4, 4, 4});
  const auto notes = product.prepare(cpu.lane, "vendor", {{"threads", std::int64_t{1}}})->notes();
  CHECK_THAT(notes.at("library"), ContainsSubstring("OpenBLAS"));
  CHECK(!notes.at("library_core").empty());
  CHECK(notes.at("threads") == "1");
}
