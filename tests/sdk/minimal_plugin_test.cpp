// The guide's example plugin, used through the interfaces that the engine uses.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "plugins/plugin_host.hpp"
#include "support/paths.hpp"

using namespace benchctl;
using Catch::Matchers::ContainsSubstring;

namespace {

const Backend& loaded(const PluginHost& host) {
  REQUIRE(host.refused().empty());
  REQUIRE(host.find("minimal") != nullptr);
  return *host.find("minimal")->backend;
}

PluginHost load_example() {
  return PluginHost::load({test::tree_root() / "libexec/benchctl/tests/example_plugins"});
}

/// C = A·B with A 2×3, B 3×1: a shape in which no two of m, n, k are exchangeable.
ProblemRequest small_product() {
  ProblemRequest request;
  request.spec.workload = "matmul";
  request.spec.buffers = {{"A", DType::f32, 6, BufferRole::in, Space::device},
                          {"B", DType::f32, 3, BufferRole::in, Space::device},
                          {"C", DType::f32, 2, BufferRole::out, Space::device}};
  request.spec.scalars = {{"m", DType::i32, std::int64_t{2}},
                          {"n", DType::i32, std::int64_t{1}},
                          {"k", DType::i32, std::int64_t{3}}};
  request.allocation = {24, 12, 16};
  request.sets = 2;
  return request;
}

}  // namespace

TEST_CASE("the guide's plugin loads and describes itself") {
  const PluginHost host = load_example();
  const Backend& backend = loaded(host);
  REQUIRE(backend.variants().size() == 1);
  CHECK(backend.variants()[0].workload == "matmul");
  CHECK(host.find("minimal")->backend->devices().devices.at(0).id == "0");
  CHECK_FALSE(backend.compiles_offline());
}

TEST_CASE("the guide's plugin multiplies on the set that was asked for and writes nothing else") {
  const PluginHost host = load_example();
  Backend& backend = *host.find("minimal")->backend;
  const auto session = backend.open("0", {});
  const auto problem = session->create_problem(small_product());

  const std::array<float, 6> a{1, 2, 3, 4, 5, 6};
  const std::array<float, 3> b{7, 8, 9};
  problem->write(1, 0, 0, std::as_bytes(std::span(a)));
  problem->write(1, 1, 0, std::as_bytes(std::span(b)));
  for (std::uint32_t set = 0; set < 2; ++set) problem->fill(set, 2, 0, 16, std::byte{0x5A});

  PrepareRequest request;
  request.variant = &backend.variants()[0];
  const auto prepared = problem->prepare(request);
  CHECK(prepared->run(1) > 0);

  std::array<float, 2> c{};
  problem->read(1, 2, 0, std::as_writable_bytes(std::span(c)));
  CHECK(c[0] == 50.0F);
  CHECK(c[1] == 122.0F);
  std::array<std::byte, 8> guard{};
  problem->read(1, 2, 8, guard);
  for (const std::byte byte : guard) CHECK(byte == std::byte{0x5A});
  std::array<std::byte, 16> other_set{};
  problem->read(0, 2, 0, other_set);
  for (const std::byte byte : other_set) CHECK(byte == std::byte{0x5A});

  SampleRequest sampling;
  sampling.count = 3;
  sampling.batch = 2;
  sampling.set = 1;
  const SampleBlock block = prepared->sample(sampling);
  CHECK(block.ns.size() == 3);
  CHECK(block.batch == 2);
}

TEST_CASE("the guide's plugin refuses what it cannot do with a typed failure") {
  const PluginHost host = load_example();
  Backend& backend = *host.find("minimal")->backend;
  CHECK_THROWS_WITH(backend.open("7", {}), ContainsSubstring("7") && ContainsSubstring("only 0"));

  const auto session = backend.open("0", {});
  const auto problem = session->create_problem(small_product());
  PrepareRequest request;
  request.variant = &backend.variants()[0];
  const auto prepared = problem->prepare(request);
  SampleRequest cold;
  cold.cache = CacheMode::cold;
  try {
    static_cast<void>(prepared->sample(cold));
    FAIL("a cold sample was not refused");
  } catch (const Failure& failure) {
    CHECK(failure.kind() == FailureKind::unsupported);
    CHECK_FALSE(failure.sticky());
  }
}
