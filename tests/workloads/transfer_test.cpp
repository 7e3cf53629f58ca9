
#include "support/catch.hpp"
#include "workloads/probed.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

Parameters copies(std::int64_t bytes, const char* direction, const char* memory) {
  return {{"bytes", bytes}, {"direction", std::string(direction)}, {"memory", std::string(memory)}};
}

}  // namespace

TEST_CASE("buffers of a transfer lie where direction and memory say") {
  const Probed up("transfer", copies(10, "h2d", "pinned"));
  REQUIRE(up.spec.buffers.size() == 2);
  CHECK(up.spec.buffers[0].space == Space::host_pinned);
  CHECK(up.spec.buffers[1].space == Space::device);
  const Probed down("transfer", copies(10, "d2h", "pageable"));
  CHECK(down.spec.buffers[0].space == Space::device);
  CHECK(down.spec.buffers[1].space == Space::host_pageable);
  CHECK(down.spec.buffers[1].role == BufferRole::out);
  const Probed both("transfer", copies(10, "both", "pinned"));
  CHECK(both.spec.buffers.size() == 4);
  CHECK(both.workload.cost(both.spec.parameters).bytes_read == 20);
  CHECK(both.workload.cost(both.spec.parameters).bytes_written == 0);
  CHECK(up.workload.cost(up.spec.parameters).bytes_read == 10);
}

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
