// What devices of CUDA, OpenCL and Vulkan do alike, beyond what the conformance kit asks of every plugin.
#include "support/failure_of.hpp"
#include "support/gpu_plugin.hpp"

#include <benchctl/failure.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// Three buffers of so many bytes in two sets.
std::unique_ptr<Problem> buffers_of(Session& session, std::uint64_t bytes,
                                    const MatmulProblem::Spaces& spaces = {Space::device, Space::device,
                                                                           Space::device}) {
  ProblemRequest request{matmul_problem({2, 2, 2}), 2, {bytes, bytes, bytes}};
  for (std::size_t i = 0; i < spaces.size(); ++i) request.spec.buffers[i].space = spaces[i];
  return session.create_problem(request);
}

/// Samples of every kind of a variant: complete, and with right results in both sets of buffers.
void check_samples(const GpuLane& lane, const std::string& variant) {
  const auto session = lane.open();
  MatmulProblem problem(*session, {70, 90, 110}, 2);
  std::unique_ptr<Prepared> prepared;
  try {
    prepared = problem.prepare(lane, variant);
  } catch (const Failure& failure) {
    if (variant == "vendor" && failure.kind() == FailureKind::unsupported) return;
    throw;
  }
  for (const std::uint32_t set : {0U, 1U}) {
    CHECK_FALSE(problem.fault(set).empty());  // poisoned, so a kernel that does nothing is caught
    CHECK(prepared->run(set) > 0);
  }
  for (const LaunchMode launch : {LaunchMode::stream, LaunchMode::graph}) {
    for (const Basis basis : {Basis::device, Basis::host_sync, Basis::end_to_end}) {
      for (const CacheMode cache : {CacheMode::hot, CacheMode::cold, CacheMode::rotate}) {
        if (cache == CacheMode::rotate && basis != Basis::device && lane.plugin == "cuda") continue;
        INFO(variant << ' ' << to_string(launch) << ' ' << to_string(basis) << ' ' << to_string(cache));
        for (const std::uint32_t set : {0U, 1U}) problem.poison(set);
        // Executions take the sets of buffers in turn; a cold sample has one for each of them.
        const std::uint32_t batch = cache == CacheMode::hot ? 4 : 2;
        // Copies to and fro may be of one set alone.
        const bool one_set = basis == Basis::end_to_end && lane.plugin != "cuda";
        SampleBlock block;
        try {
          block = prepared->sample({cache, launch, basis, batch, 5, one_set ? 1U : 2U, 1});
        } catch (const Failure& failure) {
          if (failure.kind() != FailureKind::unsupported || launch == LaunchMode::stream) throw;
          CHECK(lane.plugin != "cuda");
          continue;
        }
        CHECK(block.ns.size() == 5);
        CHECK(block.batch == batch);
        CHECK(std::ranges::all_of(block.ns, [](double ns) { return ns > 0 && std::isfinite(ns); }));
        CHECK(problem.fault(1).empty());
        CHECK((one_set || problem.fault(0).empty()));
        if (basis != Basis::device) CHECK_FALSE(block.gated);
        if (basis == Basis::device) CHECK((block.gated || !block.note.empty()));
      }
    }
  }
}

}  // namespace

TEST_CASE("samples of every mode are complete and leave right results") {
  for (const GpuLane& lane : gpu_lanes()) {
    INFO(lane.plugin << ':' << lane.device.id);
    check_samples(lane, "naive");
    const auto variants = lane.backend.variants();
    if (std::ranges::any_of(variants, [](const VariantInfo& each) {
          return each.workload == "matmul" && each.name == "vendor";
        }))
      check_samples(lane, "vendor");
  }
}

TEST_CASE("batches, graphs and time bases agree on how long a kernel takes", "[full]") {
  for (const GpuLane& lane : gpu_lanes()) {
    INFO(lane.plugin << ':' << lane.device.id);
    const auto session = lane.open();
    const std::int64_t n = lane.device.type == DeviceType::gpu ? 512 : 128;
    MatmulProblem problem(*session, {n, n, n});
    const auto prepared = problem.prepare(lane, "naive");
    prepared->run(0);
    constexpr double far = std::numeric_limits<double>::infinity();
    double alone = far, batched = far, graph = far, on_host = far, with_copies = far;
    const auto take = [&](double& shortest, LaunchMode launch, Basis basis, std::uint32_t batch) {
      const SampleBlock block = prepared->sample({CacheMode::hot, launch, basis, batch, 4, 1, 0});
      shortest = std::min(shortest, *std::ranges::min_element(block.ns));
    };
    // Samples taken while other programs run are of any length. The shortest of few are compared in turns,
    // until all had the same chances; a wrong time is wrong in its shortest sample, too.
    const auto agree = [&] {
      // Not divided by the batch it would be 10 times as long, divided twice a tenth.
      return batched > 0.4 * alone && batched < 2.5 * alone && (graph == far || graph < 2.5 * alone) &&
             graph > 0.4 * alone && on_host > 0.8 * alone && with_copies > 0.8 * on_host;
    };
    for (int turn = 0; turn < 10 || (turn < 200 && !agree()); ++turn) {
      take(alone, LaunchMode::stream, Basis::device, 1);
      take(batched, LaunchMode::stream, Basis::device, 10);
      if (lane.plugin == "cuda") take(graph, LaunchMode::graph, Basis::device, 10);
      take(on_host, LaunchMode::stream, Basis::host_sync, 1);
      take(with_copies, LaunchMode::stream, Basis::end_to_end, 1);
    }
    CAPTURE(alone, batched, graph, on_host, with_copies);
    CHECK(agree());
  }
}

TEST_CASE("memory that cannot be had is a failure with the bytes") {
  for (const GpuLane& lane : gpu_lanes()) {
    INFO(lane.plugin << ':' << lane.device.id);
    const auto session = lane.open();
    const std::uint64_t bytes = std::max(std::uint64_t{1} << 43U, 2 * lane.device.limits.memory_bytes);
    ProblemRequest request{matmul_problem({8, 8, 8}), 1, {256, 256, bytes}};
    const Failure failure = failure_of([&] { static_cast<void>(session->create_problem(request)); });
    CHECK(failure.kind() == FailureKind::out_of_memory);
    CHECK_FALSE(failure.sticky());
    const std::string text = failure.what();
    INFO(text);
    CHECK(text.find(std::to_string(bytes)) != std::string::npos);
    CHECK(text.find(lane.plugin == "cuda" ? "bytes are free" : "'C'") != std::string::npos);
    // The session is still of use.
    MatmulProblem problem(*session, {3, 4, 5});
    problem.prepare(lane, "naive")->run(0);
    CHECK(problem.fault(0).empty());
  }
}

TEST_CASE("bytes go to a buffer and come back from any offset, those outside are refused") {
  for (const GpuLane& lane : gpu_lanes()) {
    INFO(lane.plugin << ':' << lane.device.id);
    const auto session = lane.open();
    const auto problem =
        buffers_of(*session, 64, {Space::host_pinned, Space::host_pageable, Space::device});
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
    CHECK(std::string(failure.what()).find(space) != std::string::npos);
  }
}

TEST_CASE("two sessions live side by side") {
  for (const GpuLane& lane : gpu_lanes()) {
    INFO(lane.plugin << ':' << lane.device.id);
    const auto session = lane.open();
    MatmulProblem first(*session, {17, 17, 17});
    const auto prepared = first.prepare(lane, "tiled");
    {
      const auto other = lane.open();
      buffers_of(*other, 256)->fill(0, 0, 0, 256, std::byte{1});
    }
    prepared->run(0);
    CHECK(first.fault(0).empty());
  }
}
