// The device list, and failures that a person must be able to act on.
#include "fixture.hpp"

#include <benchctl/cpu_packages.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cctype>
#include <set>

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("devices are described", "[oclgrind]") {
  std::set<std::string> ids;
  for (const DeviceInfo& device : opencl_devices()) {
    INFO(device.id);
    CHECK(ids.insert(device.id).second);
    const std::size_t colon = device.id.find(':');
    REQUIRE(colon != std::string::npos);
    CHECK(device.id.substr(colon + 1).find_first_not_of("0123456789") == std::string::npos);
    CHECK_FALSE(device.name.empty());
    CHECK_FALSE(device.vendor.empty());
    CHECK(device.driver.starts_with("OpenCL "));
    CHECK(device.driver.find(", driver ") != std::string::npos);
    CHECK_FALSE(device.architecture.empty());
    CHECK(device.compute_units >= 1);
    CHECK(device.timer_step_ns >= 1);
    CHECK(device.max_batch >= 30);
    CHECK(device.limits.memory_bytes >= device.limits.max_allocation_bytes);
    CHECK(device.limits.max_allocation_bytes > 0);
    CHECK(device.limits.local_memory_bytes > 0);
    CHECK(device.limits.max_block_threads >= 1);
    for (const std::uint64_t most : device.limits.max_block) CHECK(most >= 1);
    CHECK(device.properties.contains("platform"));
    if (device.type == DeviceType::cpu || device.type == DeviceType::simulator) {
      CHECK(device.physical == cpu_physical(cpu_packages()));
    } else if (device.id.starts_with("nvidia")) {
      CHECK(device.physical.starts_with("pci:"));
    }
    CHECK_FALSE(device.physical.empty());
  }
}

TEST_CASE("ids are stable and name their platform") {
  const auto first = opencl_devices();
  const auto second = opencl_devices();
  REQUIRE(first.size() == second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    CHECK(first[i].id == second[i].id);
    CHECK(first[i].physical == second[i].physical);
    if (first[i].properties.at("platform") == "Portable Computing Language") {
      CHECK(first[i].id.starts_with("pocl:"));
      CHECK(first[i].type == DeviceType::cpu);
    }
  }
}

TEST_CASE("opening a device that is not there says which are") {
  const std::string known = opencl_devices().front().id;
  try {
    static_cast<void>(opencl_backend().open("nowhere:7", {}));
    FAIL("it was opened");
  } catch (const Failure& failure) {
    CHECK(failure.kind() == FailureKind::no_device);
    CHECK(std::string(failure.what()).find("nowhere:7") != std::string::npos);
    CHECK(std::string(failure.what()).find(known) != std::string::npos);
  }
}

TEST_CASE("the variant table is static data and complete") {
  const auto variants = opencl_backend().variants();
  std::set<std::string> names;
  for (const VariantInfo& variant : variants) {
    CHECK(names.insert(variant.workload + '/' + variant.name).second);
    CHECK_FALSE(variant.doc.empty());
    CHECK_FALSE((variant.kernel.has_value() && variant.vendor));
    if (!variant.kernel) continue;
    for (const LaunchSpec& launch : variant.kernel->launches) {
      CHECK(std::filesystem::exists(opencl_kernels() / launch.source));
    }
  }
  CHECK(names.contains("matmul/naive"));
  CHECK(names.contains("matmul/tiled"));
}

TEST_CASE("memory that cannot be had is a failure with the bytes") {
  for (const DeviceInfo& device : opencl_devices()) {
    INFO(device.id);
    const auto session = opencl_backend().open(device.id, {});
    ProblemRequest request;
    request.spec = matmul_spec({1 << 20, 1 << 20, 1}, DType::f64);
    request.allocation = {8, 8, request.spec.buffers[2].bytes()};
    try {
      static_cast<void>(session->create_problem(request));
      FAIL("8 TiB were allocated");
    } catch (const Failure& failure) {
      CHECK(failure.kind() == FailureKind::out_of_memory);
      const std::string text = failure.what();
      CHECK(text.find(std::to_string(request.allocation[2])) != std::string::npos);
      CHECK(text.find("'C'") != std::string::npos);
    }
    // The session is still of use.
    MatmulProblem problem(*session, {3, 4, 5}, DType::f32);
    problem.prepare(*matmul_variant("naive"))->run(0);
    CHECK(problem.fault(0).empty());
  }
}

TEST_CASE("host memory is read and written like the device's, and kernels refuse it") {
  const auto session = opencl_backend().open(opencl_devices().front().id, {});
  ProblemRequest request;
  request.spec = matmul_spec({2, 2, 2}, DType::f32);
  request.spec.buffers[0].space = Space::host_pinned;
  request.spec.buffers[1].space = Space::host_pageable;
  request.allocation = {64, 64, 64};
  request.sets = 2;
  const auto problem = session->create_problem(request);
  for (std::size_t buffer = 0; buffer < 3; ++buffer) {
    const std::vector<std::byte> bytes(7, static_cast<std::byte>(buffer + 1));
    problem->fill(1, buffer, 0, 64, std::byte{0x55});
    problem->write(1, buffer, 57, bytes);
    std::vector<std::byte> found(8);
    problem->read(1, buffer, 56, found);
    CHECK(found[0] == std::byte{0x55});
    CHECK(std::equal(bytes.begin(), bytes.end(), found.begin() + 1));
    CHECK_THROWS_AS(problem->write(1, buffer, 58, bytes), Failure);
    CHECK_THROWS_AS(problem->read(1, buffer, ~std::uint64_t{0}, found), Failure);
    CHECK_THROWS_AS(problem->fill(1, buffer, 60, 8, std::byte{0}), Failure);
  }
  const VariantInfo& naive = *matmul_variant("naive");
  PrepareRequest prepare;
  prepare.variant = &naive;
  PlannedLaunch& launch = prepare.kernel.emplace().launches.emplace_back();
  launch.source = (opencl_kernels() / "matmul_naive.cl").string();
  launch.entry = "matmul_naive";
  launch.defines = {{"REAL", "float"}, {"USE_FP64", "0"}, {"BLOCK_X", "2"}, {"BLOCK_Y", "2"}};
  launch.block = {2, 2, 1};
  for (std::size_t i = 0; i < 3; ++i) launch.arguments.push_back({PlannedArgument::Kind::buffer, i});
  for (std::size_t i = 0; i < 3; ++i) launch.arguments.push_back({PlannedArgument::Kind::scalar, i});
  try {
    static_cast<void>(problem->prepare(prepare));
    FAIL("it was accepted");
  } catch (const Failure& failure) {
    CHECK(failure.kind() == FailureKind::unsupported);
    CHECK(std::string(failure.what()).find("host_pinned") != std::string::npos);
  }
}

TEST_CASE("bytes go to a buffer and come back from any offset") {
  const auto session = opencl_backend().open(opencl_devices().front().id, {});
  ProblemRequest request;
  request.spec = matmul_spec({4, 4, 4}, DType::f32);
  request.allocation = {64, 64, 64};
  request.sets = 2;
  const auto problem = session->create_problem(request);
  const std::vector<std::byte> sent{std::byte{1}, std::byte{2}, std::byte{3}};
  problem->fill(1, 2, 0, 64, std::byte{9});
  problem->fill(1, 2, 8, 3, std::byte{7});  // no multiple of a word
  problem->write(1, 2, 5, sent);
  std::vector<std::byte> found(8);
  problem->read(1, 2, 4, found);
  const std::vector<std::byte> expected{std::byte{9}, std::byte{1}, std::byte{2}, std::byte{3},
                                        std::byte{7}, std::byte{7}, std::byte{7}, std::byte{9}};
  CHECK(found == expected);
  problem->read(0, 2, 0, found);
  CHECK(found == std::vector<std::byte>(8, std::byte{0}));
}
