// The workload `spin`: who did not come to the end is found, and what kernels counted becomes a time.
#include "support/catch.hpp"
#include "workloads/probed.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

Parameters lasting(std::int64_t duration_us) { return {{"duration_us", duration_us}}; }

}  // namespace

TEST_CASE("a kernel that did not come to its end is found") {
  Probed problem("spin", lasting(50));
  const auto echo = problem.as<std::uint32_t>("echo");
  const std::uint32_t token = problem.as<std::uint32_t>("token")[0];
  CHECK_FALSE(problem.check().ok);  // poison
  echo[0] = token;
  CHECK_FALSE(problem.check().ok);
  echo[0] = token + 50'000;
  CHECK(problem.check().ok);
  echo[0] = token + 50'001;
  CHECK_FALSE(problem.check().ok);
}

TEST_CASE("the empty kernel is one, too") {
  Probed problem("spin", lasting(0));
  CHECK_FALSE(problem.check().ok);
  problem.as<std::uint32_t>("echo")[0] = problem.as<std::uint32_t>("token")[0];
  CHECK(problem.check().ok);
}

TEST_CASE("ticks and edges become nanoseconds, if there were any") {
  Probed problem("spin", lasting(5));
  const auto metrics = [&] { return problem.workload.metrics(problem.spec, reader_of(problem.buffers)); };
  CHECK(metrics().empty());  // poison
  const auto clock = problem.as<std::uint32_t>("clock");
  // 2^32 + 1000 ticks; 2000 ticks are 1024 ns.
  for (const auto& [index, value] :
       {std::pair{0, 1000U}, {1, 1U}, {2, 2000U}, {3, 0U}, {4, 1024U}, {5, 0U}})
    clock[static_cast<std::size_t>(index)] = value;
  CHECK(metrics().at("spun_ns") == Approx((4294967296.0 + 1000.0) * 1024 / 2000));
  clock[2] = 0;  // no edge was seen
  CHECK(metrics().empty());
}

TEST_CASE("a kernel spins for nanoseconds") {
  CHECK(Probed("spin", lasting(1'000'000)).spec.scalars.at(0).value == Value(std::int64_t{1'000'000'000}));
}
