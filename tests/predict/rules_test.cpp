// Published efficiencies of old hardware, counted from the patterns that variants declare.
#include "predict/rules.hpp"
#include "predict/tables.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;
using namespace benchctl::predict;

namespace {

/// The first instruction of that operand in which somebody takes part.
AccessCost judged(const VariantInfo& entry, const Parameters& values, const std::string& operand,
                  std::string_view rules) {
  VariantInfo variant;
  LaunchSpec launch;
  launch.block = {"16", "16", "1"};
  launch.grid = {"16", "1", "1"};
  variant.kernel = KernelSpec{{launch}, {}};
  variant = with_accesses_of(std::move(variant), entry);
  const RuleSet* set = find_rules(rules);
  REQUIRE(set != nullptr);
  for (const Pattern& pattern : sampled_patterns(variant, values)) {
    if (pattern.spec->operand != operand) continue;
    const AccessCost result = access_cost(pattern, *set);
    if (result.requests > 0) return result;
  }
  FAIL("nobody accesses " << operand);
  return {};
}

AccessCost copied(const std::string& pattern, std::int64_t misalign, std::string_view rules,
                  std::int64_t width = 4, std::int64_t stride = 1, const std::string& operand = "in") {
  return judged(table_entry("access", "plain"),
                {{"n", std::int64_t{2048}},
                 {"pattern", pattern},
                 {"misalign", misalign},
                 {"access_width", width},
                 {"stride", stride}},
                operand, rules);
}

Access word(std::uint64_t offset, std::uint32_t bytes = 4) { return {offset, bytes}; }

}  // namespace

TEST_CASE("the Chinese notes: 50 % and 80 % misaligned, 33 % and 67 % scattered over 384 bytes") {
  CHECK(copied("linear", 1, "cc2.0").efficiency() == 0.5);
  CHECK(copied("linear", 1, "cc2.0-l2").efficiency() == 0.8);
  CHECK(copied("linear", 1, "cc3.0").efficiency() == 0.8);
  CHECK(copied("linear", 1, "today").efficiency() == 0.8);
  CHECK(copied("scattered_384", 0, "cc2.0").efficiency() == Approx(1.0 / 3));
  CHECK(copied("scattered_384", 0, "cc2.0-l2").efficiency() == Approx(2.0 / 3));
  CHECK(copied("scattered_384", 0, "cc3.0").efficiency() == Approx(2.0 / 3));
}

TEST_CASE(
    "the Chinese notes: a warp of floats is one line of 128 bytes, or four pieces without the cache") {
  const AccessCost lines = copied("linear", 0, "cc2.0");
  CHECK(lines.transactions == lines.requests);
  CHECK(lines.efficiency() == 1);
  const AccessCost sectors = copied("linear", 0, "cc2.0-l2");
  CHECK(sectors.transactions == 4 * sectors.requests);
  CHECK(sectors.efficiency() == 1);
}

TEST_CASE("the Chinese notes: 1, 2 and 4 bytes a thread are segments of 32, 64 and 128 bytes") {
  // Half-warps ask for 16, 32 and 64 bytes: the last halves its segment.
  for (const auto& [width, bytes] : {std::pair{1, 32}, {2, 32}, {4, 64}, {8, 128}}) {
    const AccessCost result = copied("linear", 0, "cc1.2", width);
    CHECK(result.transactions == result.requests);
    CHECK(result.moved_bytes == result.requests * static_cast<std::uint64_t>(bytes));
  }
  // Words at both ends of it show a whole segment.
  const RuleSet& rules = *find_rules("cc1.2");
  for (const auto& [width, bytes] : {std::pair{1U, 32U}, {2U, 64U}, {4U, 128U}, {8U, 128U}, {16U, 128U}}) {
    const std::vector<Access> ends{word(0, width), word(bytes - width, width)};
    const Transactions made = transactions(ends, AccessKind::read, rules);
    CHECK(made.count == 1);
    CHECK(made.bytes == bytes);
  }
}

TEST_CASE("the Czech article's rules: half-warps of 16 threads in one segment, in order") {
  const AccessCost good = copied("linear", 0, "cc1.0");
  CHECK(good.transactions == good.requests);
  CHECK(good.moved_bytes == 64 * good.requests);
  // Threads that load nothing do no harm.
  CHECK(copied("masked", 0, "cc1.0").transactions == good.transactions);
  // Words of 8 bytes are one transaction of 128, of 16 bytes two.
  CHECK(copied("linear", 0, "cc1.0", 8).transactions == good.requests);
  CHECK(copied("linear", 0, "cc1.0", 16).transactions == 2 * good.requests);
  // Bytes, an address that is not a multiple of the segment, or threads out of order: one for each thread.
  CHECK(copied("linear", 0, "cc1.0", 1).transactions == 16 * good.requests);
  CHECK(copied("linear", 1, "cc1.0").transactions == 16 * good.requests);
  CHECK(copied("linear", 16, "cc1.0").transactions == good.requests);
  CHECK(copied("scattered_warp", 0, "cc1.0").transactions == 16 * good.requests);
  CHECK(copied("scattered_warp", 0, "cc1.0").efficiency() == 0.125);
  CHECK(copied("scattered_warp", 0, "cc1.2").efficiency() == 0.5);
}

TEST_CASE("the Czech article's float3: one transaction a thread on 1.0, three segments' bytes on 1.2") {
  const Parameters values{
      {"n", std::int64_t{2048}}, {"layout", std::string("aos12")}, {"dtype", std::string("f32")}};
  const VariantInfo& scalar = table_entry("vec3_map", "scalar");
  CHECK(judged(scalar, values, "in", "cc1.0").transactions ==
        16 * judged(scalar, values, "in", "cc1.0").requests);
  // 192 bytes for the 64 that are asked for.
  CHECK(judged(scalar, values, "in", "cc1.2").efficiency() == Approx(1.0 / 3));
}

TEST_CASE("segments of 1.2 are halved while one half is unused") {
  const RuleSet& rules = *find_rules("cc1.2");
  const auto bytes = [&](std::initializer_list<Access> accesses) {
    return transactions(std::vector<Access>(accesses), AccessKind::read, rules).bytes;
  };
  CHECK(bytes({word(0)}) == 32);
  CHECK(bytes({word(0), word(32)}) == 64);
  CHECK(bytes({word(60), word(64)}) == 128);
  CHECK(bytes({word(64), word(124)}) == 64);
  CHECK(bytes({word(124), word(128)}) == 64);  // two segments
  // A half-warp that begins one word late: 128 bytes; the next ends in another segment: 64 and 32.
  const AccessCost late = copied("linear", 1, "cc1.2");
  CHECK(late.moved_bytes * 2 == late.requests * (128 + 64 + 32));
}

TEST_CASE("wide words on 2.x are served by halves and quarters of a warp, and stores without lines") {
  const AccessCost wide = copied("linear", 0, "cc2.0", 16);
  CHECK(wide.requests == 2048 / 8);
  CHECK(wide.transactions == wide.requests);
  const AccessCost stores = copied("linear", 0, "cc2.0", 4, 1, "out");
  CHECK(stores.transactions == 4 * stores.requests);
}

TEST_CASE("the Japanese experiment: 16 ways on the 16 banks of a half-warp, 8 on 32 banks") {
  const VariantInfo& published = table_entry("bank_conflicts", "row_major_shared_only");
  CHECK(judged(published, {}, "block", "cc1.0").conflict_degree() == 16);
  CHECK(judged(published, {}, "block", "today").conflict_degree() == 8);
  CHECK(judged(published, {}, "block", "today").efficiency() == 0);
}
