
#include "support/catch.hpp"
#include "workloads/probed.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

Parameters copies(std::int64_t bytes, const char* direction, const char* memory) {
  return {{"bytes", bytes}, {"direction", std::string(direction)}, {"memory", std::string(memory)}};
}

}  // namespace

TEST_CASE("every byte of every copy counts") {
  const std::int64_t bytes = GENERATE(1, 3, 17, 4099, 9000001);
  const char* direction = GENERATE("h2d", "d2h", "both");
  Probed problem("transfer", copies(bytes, direction, "pinned"));
  CHECK_FALSE(problem.check().ok);  // poison
  for (std::size_t i = 0; i < problem.buffers.size(); i += 2) problem.buffers[i + 1] = problem.buffers[i];
  CHECK(problem.check().ok);
  CHECK(problem.check().checked == static_cast<std::uint64_t>(bytes) * problem.buffers.size() / 2);
  for (std::size_t i = 1; i < problem.buffers.size(); i += 2) {
    std::byte& last = problem.buffers[i].back();
    last ^= std::byte{1};
    CHECK_FALSE(problem.check().ok);
    last ^= std::byte{1};
  }
  // The copies of both directions are of different bytes: one cannot stand for the other.
  if (problem.buffers.size() == 4 && bytes > 16) {
    std::swap(problem.buffers[1], problem.buffers[3]);
    CHECK_FALSE(problem.check().ok);
  }
}
