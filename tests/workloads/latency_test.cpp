
#include "support/catch.hpp"
#include "workloads/probed.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

Parameters chase(std::int64_t bytes, std::int64_t spacing, std::int64_t steps) {
  return {{"bytes", bytes}, {"spacing", spacing}, {"steps", steps}};
}

std::uint32_t followed(std::span<const std::uint32_t> chain, std::uint64_t steps) {
  std::uint32_t place = 0;
  for (std::uint64_t step = 0; step < steps; ++step) place = chain[place];
  return place;
}

}  // namespace

TEST_CASE("the chain is one cycle through all nodes, and its start is not on it") {
  const auto [bytes, spacing] = GENERATE(as<std::pair<std::int64_t, std::int64_t>>{}, std::pair{4, 4},
                                         std::pair{8, 4}, std::pair{12, 4}, std::pair{1000, 20},
                                         std::pair{65536, 128}, std::pair{99996, 60}, std::pair{300000, 4});
  Probed problem("latency", chase(bytes, spacing, 1));
  const auto chain = problem.as<std::uint32_t>("chain");
  const auto nodes = static_cast<std::uint64_t>(bytes / spacing);
  const auto words = static_cast<std::uint32_t>(spacing / 4);
  // A node of one word cannot be the start and on the cycle.
  const std::uint64_t on_cycle = words == 1 && nodes > 1 ? nodes - 1 : nodes;
  std::vector<bool> seen(nodes);
  const std::uint32_t first = chain[0];
  std::uint32_t place = first;
  for (std::uint64_t step = 0; step < on_cycle; ++step) {
    REQUIRE(place / words < nodes);
    REQUIRE((place != 0 || bytes == 4));
    REQUIRE_FALSE(seen[place / words]);
    seen[place / words] = true;
    place = chain[place];
  }
  CHECK(place == first);
}

TEST_CASE("no number of steps ends where the chase began, whatever the seed") {
  for (const std::int64_t steps : {1, 16, 64, 4096}) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      Probed problem("latency", chase(64 * 64, 64, steps), seed);
      problem.as<std::uint32_t>("end")[0] = 0;
      CHECK_FALSE(problem.check().ok);
    }
  }
}

TEST_CASE("the order looks random: no stride is taken twice as often as chance would have it") {
  Probed problem("latency", chase(1 << 20, 64, 1));
  const auto chain = problem.as<std::uint32_t>("chain");
  const std::uint32_t nodes = 1 << 14;
  std::vector<std::uint32_t> strides;
  std::uint32_t place = 0;
  for (std::uint32_t step = 0; step < nodes; ++step) {
    strides.push_back((chain[place] - place) / 16 % nodes);
    place = chain[place];
  }
  std::ranges::sort(strides);
  std::uint32_t most = 0;
  std::uint32_t same = 1;
  for (std::size_t i = 1; i < strides.size(); ++i) {
    same = strides[i] == strides[i - 1] ? same + 1 : 1;
    most = std::max(most, same);
  }
  // 16384 draws out of 16384: the commonest comes eight times or so, and nine or more in one case of a
  // hundred.
  CHECK(most < 16);
}

TEST_CASE("a chain drawn in slices is the chain drawn at once") {
  Probed problem("latency", chase(40000, 36, 1));
  const Bytes& whole = problem.buffers[0];
  for (const std::size_t words : {1UL, 7UL, 9UL, 1000UL}) {
    Bytes pieces(whole.size());
    for (std::size_t first = 0; first < pieces.size() / 4; first += words) {
      const std::size_t length = std::min(words, pieces.size() / 4 - first);
      problem.workload.generate(problem.spec, 0, 1, first,
                                std::span(pieces).subspan(4 * first, 4 * length));
    }
    INFO(words);
    CHECK(pieces == whole);
  }
}

TEST_CASE("the end of a chase is what following it gives, and one step more or less is seen") {
  const std::int64_t steps = GENERATE(1, 2, 99, 100, 101, 12345);
  Probed problem("latency", chase(100 * 64, 64, steps));
  const auto chain = problem.as<std::uint32_t>("chain");
  const auto end = problem.as<std::uint32_t>("end");
  const auto count = static_cast<std::uint64_t>(steps);
  CHECK_FALSE(problem.check().ok);  // poison
  end[0] = followed(chain, count);
  CHECK(problem.check().ok);
  end[0] = followed(chain, count + 1);
  CHECK_FALSE(problem.check().ok);
  end[0] = followed(chain, count - 1);
  CHECK_FALSE(problem.check().ok);
}

TEST_CASE("cycles become a metric where a kernel counted them") {
  Probed problem("latency", chase(4096, 64, 1000));
  CHECK(problem.workload.metrics(problem.spec, reader_of(problem.buffers)).empty());
  const auto cycles = problem.as<std::uint32_t>("cycles");
  cycles[0] = 500000;
  cycles[1] = 1;
  const auto metrics = problem.workload.metrics(problem.spec, reader_of(problem.buffers));
  CHECK(metrics.at("cycles_per_access") == (4294967296.0 + 500000.0) / 1000.0);
  CHECK(problem.workload.cost(problem.spec.parameters).accesses == 1000);
}
