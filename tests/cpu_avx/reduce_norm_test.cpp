// Norms of float64 numbers whose squares leave the range of float64, which the workload never draws.
#include "cpu_avx/plugin_under_test.hpp"
#include "support/catch.hpp"

#include <span>

using namespace benchctl;
using namespace benchctl::test;

namespace {

double norm_of(Session& session, const VariantInfo& variant, const std::vector<double>& x) {
  ProblemRequest request;
  request.sets = 1;
  request.spec.workload = "reduce";
  request.spec.parameters = {{"op", "norm"}};
  request.spec.buffers = {{"x", DType::f64, x.size(), BufferRole::in, Space::device},
                          {"result", DType::f64, 1, BufferRole::out, Space::device}};
  request.spec.scalars = {{"n", DType::i32, static_cast<std::int64_t>(x.size())}};
  request.allocation = {x.size() * sizeof(double), sizeof(double)};
  const auto problem = session.create_problem(request);
  problem->write(0, 0, 0, std::as_bytes(std::span(x)));
  static_cast<void>(problem->prepare({&variant, tunables_of(variant), {}, {}})->run(0));
  double result = 0;
  problem->read(0, 1, 0, std::as_writable_bytes(std::span(&result, 1)));
  return result;
}

}  // namespace

TEST_CASE("norms neither overflow nor vanish where squares do") {
  const Processor cpu;
  constexpr std::size_t n = 10007;
  const double root = std::sqrt(static_cast<double>(n));
  for (const VariantInfo& variant : cpu.variants("reduce")) {
    if (variant.vendor) continue;
    INFO(variant.name);
    const auto all = [&](double value) {
      return norm_of(*cpu.session, variant, std::vector<double>(n, value));
    };
    CHECK_THAT(all(3.0), WithinRel(3 * root, 1e-12));
    CHECK_THAT(all(-1e300), WithinRel(1e300 * root, 1e-12));
    CHECK_THAT(all(1e-300), WithinRel(1e-300 * root, 1e-12));
    CHECK_THAT(all(0x1p-1070), WithinRel(0x1p-1070 * root, 1e-2));
    CHECK(all(0.0) == 0);
    CHECK(all(std::numeric_limits<double>::infinity()) == std::numeric_limits<double>::infinity());
    CHECK(std::isnan(all(std::numeric_limits<double>::quiet_NaN())));
    std::vector<double> mixed(n, 1e-300);
    mixed[n / 2] = 4e200;
    mixed[n - 1] = 3e200;
    CHECK_THAT(norm_of(*cpu.session, variant, mixed), WithinRel(5e200, 1e-12));
    mixed[1] = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(norm_of(*cpu.session, variant, mixed)));
  }
}
