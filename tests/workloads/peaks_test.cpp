#include <numeric>

#include "support/catch.hpp"
#include "workloads/probed.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

Parameters probe(const char* name, std::int64_t bytes, std::int64_t rounds = 1) {
  return {{"probe", std::string(name)}, {"bytes", bytes}, {"rounds", rounds}};
}

double scalar(const ProblemSpec& spec, const char* name) {
  return std::get<double>(spec.scalars.at(*spec.scalar_index(name)).value);
}

template <class Real>
void run_chains(Probed& problem, std::int64_t rounds) {
  const auto start = problem.as<Real>("start");
  const auto out = problem.as<Real>("out");
  const auto scale = static_cast<Real>(scalar(problem.spec, "scale"));
  const auto shift = static_cast<Real>(scalar(problem.spec, "shift"));
  for (std::size_t i = 0; i < out.size(); ++i) {
    Real x = start[i % start.size()];
    for (std::int64_t round = 0; round < rounds; ++round) x = std::fma(x, scale, shift);
    out[i] = x;
  }
}

}  // namespace

TEST_CASE("chains of multiply-adds are known to the bit") {
  const std::int64_t rounds = GENERATE(1, 2, 1000);
  Probed single("peaks", probe("fma_f32", 8200, rounds));
  CHECK_FALSE(single.check().ok);  // poison
  run_chains<float>(single, rounds);
  CHECK(single.check().ok);
  Probed twofold("peaks", probe("fma_f64", 16400, rounds));
  run_chains<double>(twofold, rounds);
  CHECK(twofold.check().ok);

  run_chains<float>(single, rounds + 1);
  CHECK_FALSE(single.check().ok);
  run_chains<float>(single, rounds);
  auto& last = single.as<float>("out").back();
  last = std::nextafter(last, 10.0F);
  CHECK_FALSE(single.check().ok);
}

TEST_CASE("the bits of a chain keep changing, and stay far from overflow and denormals") {
  Probed problem("peaks", probe("fma_f32", 4, 1));
  const auto scale = static_cast<float>(scalar(problem.spec, "scale"));
  float x = problem.as<float>("start")[0];
  std::set<float> seen;
  for (int round = 0; round < 10000; ++round) {
    x = std::fma(x, scale, 1.0F);
    REQUIRE(std::abs(x) < 4.0F);
    seen.insert(x);
  }
  CHECK(seen.size() > 5000);
}

TEST_CASE("of every 128 bytes the first 64 are summed") {
  const std::int64_t bytes = GENERATE(4, 68, 132, 65532, 65536, 65540, 400012);
  Probed problem("peaks", probe("dram_read_apart", bytes));
  CHECK_FALSE(problem.check().ok);
  const auto in = problem.as<std::uint32_t>("in");
  const auto out = problem.as<std::uint32_t>("out");
  std::ranges::fill(out, 0U);
  std::size_t words = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i % 32 >= 16) continue;
    out[i / 16384] += in[i];
    ++words;
  }
  CHECK(problem.check().ok);
  CHECK(problem.workload.cost(problem.spec.parameters).bytes_read == 4.0 * static_cast<double>(words));
  if (in.size() > 16) {
    out[0] += in[16];
    CHECK_FALSE(problem.check().ok);
  }
}

TEST_CASE("a cache is read as often as rounds say") {
  Probed problem("peaks", probe("cache_read", 200020, 5));
  const auto in = problem.as<std::uint32_t>("in");
  const auto out = problem.as<std::uint32_t>("out");
  CHECK(out.size() == 20);
  // As a kernel would: sum s over segment s mod segments.
  constexpr std::size_t segment = 16384;
  const std::size_t segments = (in.size() + segment - 1) / segment;
  for (std::size_t s = 0; s < out.size(); ++s) {
    const auto part = in.subspan(s % segments * segment);
    out[s] = std::accumulate(part.begin(), part.begin() + std::min(segment, part.size()), 0U);
  }
  CHECK(problem.check().ok);
  out[19] = 0xffffffff;  // the last pass never ran
  CHECK_FALSE(problem.check().ok);
  CHECK(problem.workload.cost(problem.spec.parameters).bytes_read == 5 * 200020.0);
}

TEST_CASE("reads of shared memory are counted one by one") {
  const std::int64_t rounds = GENERATE(1, 33, 1024, 2500);
  Probed problem("peaks", probe("shared", 8200, rounds));
  const auto in = problem.as<std::uint32_t>("in");
  const auto out = problem.as<std::uint32_t>("out");
  const auto run = [&](std::int64_t done) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::size_t place = i % 1024;
      std::uint32_t sum = 0;
      for (std::int64_t round = 0; round < done; ++round, place = (place + 33) % 1024) {
        for (std::size_t word = 0; word < 4; ++word) sum += in[4 * place + word];
      }
      out[i] = sum;
    }
  };
  run(rounds);
  CHECK(problem.check().ok);
  run(rounds - 1);
  CHECK_FALSE(problem.check().ok);
  CHECK(problem.workload.cost(problem.spec.parameters).bytes_read ==
        2050.0 * static_cast<double>(rounds) * 16);
}

TEST_CASE("what no kernel wrote is wrong") {
  const std::string name =
      GENERATE(as<std::string>{}, "dram_read", "dram_write", "dram_copy", "dram_triad");
  CHECK_FALSE(Probed("peaks", probe(name.c_str(), 16400)).check().ok);
}

TEST_CASE("a launch that did nothing is seen") {
  Probed problem("peaks", {{"probe", std::string("launch")}});
  CHECK_FALSE(problem.check().ok);
  problem.as<std::uint32_t>("out")[0] = problem.as<std::uint32_t>("in")[0];
  CHECK_FALSE(problem.check().ok);
  ++problem.as<std::uint32_t>("out")[0];
  CHECK(problem.check().ok);
}
