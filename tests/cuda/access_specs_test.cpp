// The memory instructions that variants declare: predictions are counted from them, so they must move every
// byte of the result once, and stay inside the buffers.
#include "expr/expression.hpp"
#include "plugin_under_test.hpp"
#include "support/catch.hpp"
#include "sweep/kernel_plan.hpp"
#include "workloads/workload.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

struct Moved {
  std::uint64_t read = 0;  ///< bytes of global memory
  std::uint64_t written = 0;
  std::uint64_t shared_read = 0;
  std::uint64_t shared_written = 0;
  std::map<std::uint64_t, int> sources;       ///< first byte of each read that is not repeated
  std::map<std::uint64_t, int> destinations;  ///< the same of writes
};

/// What all threads of the launch, or those that stand for them, do, one by one.
Moved moved(const VariantInfo& variant, const Parameters& given, const ProblemSpec& spec) {
  Moved sum;
  Parameters values = with_derived(*variant.kernel, given);
  for (const AccessSpec& access : variant.access) {
    const LaunchShape shape = launch_shape(variant.kernel->launches.at(access.launch), values);
    const std::uint64_t times = parsed_expression(access.times).count(values);
    const std::uint64_t threads = access.threads.empty() ? shape.grid[0] * shape.block[0]
                                                         : parsed_expression(access.threads).count(values);
    for (std::uint64_t i = 0; i < threads && times > 0; ++i) {
      values["i"] = static_cast<std::int64_t>(i);
      values["t"] = values["tx"] = static_cast<std::int64_t>(i % shape.block[0]);
      values["bx"] = static_cast<std::int64_t>(i / shape.block[0]);
      if (!parsed_expression(access.active).holds(values)) continue;
      const std::uint64_t offset = parsed_expression(access.offset).count(values);
      const std::uint64_t bytes = parsed_expression(access.bytes).count(values);
      const bool read = access.kind == AccessKind::read;
      if (access.space == AccessSpace::shared) {
        REQUIRE(offset + bytes <= shape.local_bytes);
        (read ? sum.shared_read : sum.shared_written) += bytes * times;
        continue;
      }
      INFO(access.operand << " at " << access.offset << ", thread " << i);
      REQUIRE(offset + bytes <= spec.buffers.at(*spec.buffer_index(access.operand)).bytes());
      (read ? sum.read : sum.written) += bytes * times;
      if (times == 1) ++(read ? sum.sources : sum.destinations)[offset];
    }
  }
  return sum;
}

Moved moved_by(const std::string& workload, const std::string& name, const std::string& layout,
               const Parameters& problem, const Parameters& tunables) {
  const VariantInfo& variant = variant_of(built_backend("cuda"), workload, name);
  const Workload& owner = *Workloads::built_in().find(workload);
  const Parameters complete = complete_parameters(owner, problem);
  Parameters chosen = tunables_of(variant);
  for (const auto& [tunable, value] : tunables) {
    if (chosen.contains(tunable)) chosen[tunable] = value;
  }
  const Parameters values = kernel_values(complete, layout, chosen,
                                          {{"compute_units", std::int64_t{3}}, {"warp", std::int64_t{32}}});
  return moved(variant, values, owner.problem(complete, layout));
}

}  // namespace

TEST_CASE("declared accesses to vectors move each byte of the result once", "[cuda]") {
  const std::int64_t n = GENERATE(1, 3, 64, 257, 1001);
  const auto vectors = static_cast<std::uint64_t>(n);
  const Parameters problem{{"n", n}};
  const Parameters tunables{{"block", std::int64_t{64}},
                            {"width", GENERATE(std::int64_t{1}, std::int64_t{4})}};
  const auto [name, layout] = GENERATE(table<std::string, std::string>({{"scalar", "aos12"},
                                                                        {"scalar", "aos16"},
                                                                        {"scalar", "soa"},
                                                                        {"vector", "aos16"},
                                                                        {"pair", "aos16"},
                                                                        {"shared_staging", "aos12"},
                                                                        {"quad", "aos12"},
                                                                        {"quad", "soa"}}));
  INFO(name << ' ' << layout << " n=" << n);
  const std::uint64_t touched = name == "vector" ? 16 : 12;
  const Moved map = moved_by("vec3_map", name, layout, problem, tunables);
  CHECK(map.read == touched * vectors);
  CHECK(map.written == touched * vectors);
  const Moved norm = moved_by("vec3_norm2", name, layout, problem, tunables);
  CHECK(norm.read == touched * vectors);
  CHECK(norm.written == 4 * vectors);
  for (const auto& [place, count] : map.destinations) CHECK(count == 1);
  CHECK(map.sources == map.destinations);
  const std::uint64_t staged = name == "shared_staging" ? 12 * vectors : 0;
  CHECK(map.shared_written == 2 * staged);
  CHECK(map.shared_read == 2 * staged);
  CHECK(norm.shared_written == staged);
  CHECK(norm.shared_read == staged);
}

TEST_CASE("declared accesses of copies move each element once", "[cuda]") {
  const std::string pattern =
      GENERATE("linear", "masked", "scattered_warp", "scattered_block", "scattered_array", "scattered_384");
  const std::string name = GENERATE("plain", "resident");
  const std::int64_t unroll = GENERATE(1, 4);
  // 3 multiprocessors of 64 threads: 1024 elements are five rounds and a third of one.
  const Moved copy = moved_by(
      "access", name, "", {{"n", std::int64_t{1024}}, {"pattern", pattern}, {"misalign", std::int64_t{5}}},
      {{"resident", std::int64_t{64}}, {"unroll", unroll}});
  INFO(name << ' ' << pattern << " unroll " << unroll);
  CHECK(copy.written == 4096);
  CHECK(copy.read == (pattern == "masked" ? 3072 : 4096));
  for (const auto& [place, count] : copy.sources) CHECK(count == 1);
  if (name == "plain" && pattern != "masked") CHECK(copy.sources.size() == 1024);
}

TEST_CASE("an unrolled copy's launch has a thread for each element", "[cuda]") {
  const std::int64_t n = GENERATE(1, 255, 1023, 1024, 1025);
  const std::int64_t unroll = GENERATE(1, 2, 4);
  const VariantInfo& plain = variant_of(built_backend("cuda"), "access", "plain");
  const Parameters values =
      kernel_values(complete_parameters(*Workloads::built_in().find("access"), {{"n", n}}), "",
                    tunables_of(plain, {{"unroll", unroll}}),
                    {{"compute_units", std::int64_t{3}}, {"warp", std::int64_t{32}}});
  const LaunchShape shape = launch_shape(plain.kernel->launches.front(), values);
  const std::uint64_t tile = shape.block[0] * static_cast<std::uint64_t>(unroll);
  CHECK(shape.grid[0] * tile >= static_cast<std::uint64_t>(n));
  CHECK((shape.grid[0] - 1) * tile < static_cast<std::uint64_t>(n));
  const Moved copy = moved_by("access", "plain", "", {{"n", n}}, {{"unroll", unroll}});
  CHECK(copy.written == static_cast<std::uint64_t>(4 * n));
  CHECK(copy.destinations.size() == static_cast<std::uint64_t>(n));
}

TEST_CASE("declared accesses of packed copies move each byte once", "[cuda]") {
  const std::int64_t n = GENERATE(1, 4, 1001);
  const std::int64_t width = GENERATE(1, 2, 4);
  const std::int64_t word = GENERATE(4, 16);
  const Moved copy =
      moved_by("access", "packed", "", {{"n", n}, {"access_width", width}, {"misalign", std::int64_t{16}}},
               {{"word", word}});
  CHECK(copy.read == static_cast<std::uint64_t>(n * width));
  CHECK(copy.written == static_cast<std::uint64_t>(n * width));
}

TEST_CASE("declared accesses to dense arrays move each byte once, the ends included", "[cuda]") {
  const std::int64_t n = GENERATE(1, 5, 256, 1023);
  const auto bytes = static_cast<std::uint64_t>(4 * n);
  const std::string name = GENERATE("plain", "vectorized");
  const Parameters tunables{{"width", std::int64_t{4}}, {"packs", std::int64_t{1}}};
  INFO(name << " n=" << n);
  const Moved sum = moved_by("vector_add", name, "", {{"n", n}}, tunables);
  CHECK(sum.read == 2 * bytes);
  CHECK(sum.written == bytes);
  const Moved copy = moved_by("copy", name, "", {{"n", n}}, tunables);
  CHECK(copy.read == bytes);
  CHECK(copy.written == bytes);
  const Moved dot = moved_by("reduce", "two_kernel", "", {{"n", n}, {"op", std::string("dot")}}, {});
  CHECK(dot.read == 2 * bytes);
}
