// What the judges of `bank_conflicts`, `shared_stride` and `constant_broadcast` let through.
#include <cstring>

#include "support/catch.hpp"
#include "workloads/probed.hpp"

using namespace benchctl;
using benchctl::test::Probed;

namespace {

/// As a kernel would, step by step.
void read_rows(Probed& memory, std::size_t n, std::size_t rounds) {
  const std::uint32_t* table = memory.as<std::uint32_t>("table").data();
  std::uint32_t* out = memory.as<std::uint32_t>("out").data();
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t sum = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
      for (std::size_t k = 0; k < 8; ++k) sum += table[(i + round) % 32 * 8 + k];
    }
    out[i] = sum;
  }
}

Parameters of(std::int64_t n, std::int64_t rounds) { return {{"n", n}, {"rounds", rounds}}; }

}  // namespace

TEST_CASE("a round too many, a lane that reads its neighbour's rows, a word left out: all are wrong") {
  Probed memory("shared_stride", of(64, 100));
  std::uint32_t* out = memory.as<std::uint32_t>("out").data();
  read_rows(memory, 64, 101);
  CHECK_FALSE(memory.check().ok);
  read_rows(memory, 64, 100);
  CHECK(memory.check().ok);
  for (std::size_t i = 0; i + 1 < 64; ++i) out[i] = out[i + 1];
  CHECK_FALSE(memory.check().ok);
  read_rows(memory, 64, 100);
  out[63] -= memory.as<std::uint32_t>("table")[5];
  CHECK_FALSE(memory.check().ok);
}

TEST_CASE("an output that no kernel wrote is wrong") {
  CHECK_FALSE(Probed("bank_conflicts", {{"blocks", std::int64_t{3}}}).check().ok);
  CHECK_FALSE(Probed("constant_broadcast", of(64, 1)).check().ok);
}

TEST_CASE("the table is the same for every seed, the keys are not") {
  Probed one("constant_broadcast", of(64, 1), 1);
  Probed two("constant_broadcast", of(64, 1), 2);
  CHECK(std::memcmp(one.as<std::byte>("table").data(), two.as<std::byte>("table").data(), 1024) == 0);
  CHECK(std::memcmp(one.as<std::byte>("key").data(), two.as<std::byte>("key").data(), 256) != 0);
}
