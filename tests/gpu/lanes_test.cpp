// What devices of CUDA, OpenCL and Vulkan do alike, beyond what the conformance kit asks of every plugin.
#include "support/catch.hpp"
#include "support/failure_of.hpp"
#include "support/gpu_plugin.hpp"

#include <benchctl/failure.hpp>

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("bytes go to a buffer and come back from any offset, those outside are refused") {
  for (const GpuLane& lane : gpu_lanes()) {
    INFO(lane.plugin << ':' << lane.device.id);
    const auto session = lane.open();
    ProblemRequest request{matmul_problem({2, 2, 2}), 2, {64, 64, 64}};
    request.spec.buffers[0].space = Space::host_pinned;
    request.spec.buffers[1].space = Space::host_pageable;
    const auto problem = session->create_problem(request);
    for (std::size_t buffer = 0; buffer < 3; ++buffer) {
      INFO("buffer " << buffer);
      const std::vector<std::byte> sent{std::byte{1}, std::byte{2}, std::byte{3}};
      problem->fill(1, buffer, 0, 64, std::byte{9});
      problem->fill(1, buffer, 8, 3, std::byte{7});  // no multiple of a word
      problem->write(1, buffer, 5, sent);
      problem->write(1, buffer, 61, sent);
      std::vector<std::byte> found(8);
      problem->read(1, buffer, 4, found);
      CHECK(found == std::vector<std::byte>{std::byte{9}, std::byte{1}, std::byte{2}, std::byte{3},
                                            std::byte{7}, std::byte{7}, std::byte{7}, std::byte{9}});
      problem->read(1, buffer, 56, found);
      CHECK(std::equal(sent.begin(), sent.end(), found.begin() + 5));
      constexpr std::uint64_t far = std::numeric_limits<std::uint64_t>::max();
      CHECK_THROWS_AS(problem->write(1, buffer, 62, sent), Failure);
      CHECK_THROWS_AS(problem->read(1, buffer, 57, found), Failure);
      CHECK_THROWS_AS(problem->read(1, buffer, far, found), Failure);
      CHECK_THROWS_AS(problem->fill(1, buffer, 60, 8, std::byte{0}), Failure);
      CHECK_THROWS_AS(problem->fill(1, buffer, far, 4, std::byte{0}), Failure);
    }
    CHECK_THROWS(problem->fill(2, 0, 0, 4, std::byte{0}));
    CHECK_THROWS(problem->fill(0, 3, 0, 4, std::byte{0}));
  }
}

TEST_CASE("kernels refuse buffers of the host") {
  for (const GpuLane& lane : gpu_lanes()) {
    INFO(lane.plugin << ':' << lane.device.id);
    const auto session = lane.open();
    MatmulProblem problem(*session, {8, 8, 8}, 1,
                          {Space::host_pinned, Space::host_pageable, Space::device});
    const Failure failure = failure_of([&] { static_cast<void>(problem.prepare(lane, "naive")); });
    CHECK(failure.kind() == FailureKind::unsupported);
    // Kernels of CUDA and Vulkan may use pinned memory.
    const char* space = lane.plugin == "opencl" ? "host_pinned" : "pageable";
    CHECK_THAT(failure.what(), ContainsSubstring(space));
  }
}
