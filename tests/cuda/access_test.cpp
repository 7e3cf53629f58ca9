// What the access patterns of the variant table say, counted by hand: that they describe the kernels, and
// the degrees of conflict that the kernels' comments promise.
#include <catch2/catch_test_macros.hpp>

#include "expr/parsed.hpp"
#include "plugin_under_test.hpp"
#include "sweep/kernel_plan.hpp"
#include "workloads/workload.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

using namespace benchctl;
using namespace benchctl::test;

namespace {

const Parameters access_gpu{{"compute_units", std::int64_t{132}},
                            {"warp", std::int64_t{32}},
                            {"last_level_cache", std::int64_t{52428800}}};

const VariantInfo& access_variant(const std::string& workload, const std::string& name) {
  for (const VariantInfo& variant : cuda_backend().variants()) {
    if (variant.workload == workload && variant.name == name) return variant;
  }
  FAIL("no variant " << workload << "/" << name);
  throw std::logic_error("unreachable");
}

Parameters values_of(const VariantInfo& variant, const Parameters& problem, const Parameters& tunables) {
  const std::string layout = variant.layouts.empty() ? "" : variant.layouts.front();
  const Parameters values = kernel_values(complete_parameters(*find_workload(variant.workload), problem),
                                          layout, tunables_of(variant, tunables), access_gpu);
  return variant.kernel ? with_derived(*variant.kernel, values) : values;
}

/// The bytes that each active thread of the first warp of the first block starts at.
std::vector<std::uint64_t> first_warp(const VariantInfo& variant, const AccessSpec& access,
                                      const Parameters& values) {
  const LaunchShape shape = launch_shape(variant.kernel->launches.at(access.launch), values);
  std::vector<std::uint64_t> offsets;
  for (std::uint64_t t = 0; t < 32; ++t) {
    Parameters place = values;
    place["tx"] = static_cast<std::int64_t>(t % shape.block[0]);
    place["ty"] = static_cast<std::int64_t>(t / shape.block[0] % shape.block[1]);
    place["tz"] = static_cast<std::int64_t>(t / (shape.block[0] * shape.block[1]));
    for (const char* name : {"bx", "by", "bz"}) place[name] = std::int64_t{0};
    place["t"] = static_cast<std::int64_t>(t);
    place["i"] = static_cast<std::int64_t>(t);
    if (parsed_expression(access.active).holds(place)) {
      offsets.push_back(parsed_expression(access.offset).count(place));
    }
  }
  return offsets;
}

/// How often shared memory with 32 banks of four bytes has to be asked for one access of a warp. Wide words
/// are served for as many threads at a time as fill 128 bytes.
std::size_t steps(const std::vector<std::uint64_t>& offsets, std::size_t bytes) {
  std::size_t sum = 0;
  const std::size_t at_a_time = 128 / bytes;
  for (std::size_t first = 0; first < offsets.size(); first += at_a_time) {
    std::map<std::uint64_t, std::set<std::uint64_t>> words_of_bank;
    for (std::size_t t = first; t < std::min(first + at_a_time, offsets.size()); ++t) {
      for (std::uint64_t at = offsets[t]; at < offsets[t] + bytes; at += 4) {
        words_of_bank[at / 4 % 32].insert(at / 4);
      }
    }
    std::size_t most = 0;
    for (const auto& [bank, words] : words_of_bank) most = std::max(most, words.size());
    sum += most;
  }
  return sum;
}

std::size_t sectors(const std::vector<std::uint64_t>& offsets, std::size_t bytes) {
  std::set<std::uint64_t> touched;
  for (const std::uint64_t offset : offsets) {
    for (std::uint64_t at = offset / 32; at <= (offset + bytes - 1) / 32; ++at) touched.insert(at);
  }
  return touched.size();
}

/// Steps of a shared access or sectors of a global one.
std::size_t cost_of(const std::string& workload, const std::string& name, AccessSpace space,
                    AccessKind kind, const Parameters& problem, const Parameters& tunables = {}) {
  const VariantInfo& variant = access_variant(workload, name);
  const Parameters values = values_of(variant, problem, tunables);
  for (const AccessSpec& access : variant.access) {
    if (access.space != space || access.kind != kind) continue;
    const std::size_t bytes = parsed_expression(access.bytes).count(values);
    const auto offsets = first_warp(variant, access, values);
    return space == AccessSpace::shared ? steps(offsets, bytes) : sectors(offsets, bytes);
  }
  FAIL(workload << "/" << name << " has no such access");
  return 0;
}

const Parameters f64{{"dtype", std::string("f64")}};

}  // namespace

TEST_CASE("every access pattern can be evaluated", "[cuda]") {
  for (const VariantInfo& variant : cuda_backend().variants()) {
    if (!variant.kernel) continue;
    const Parameters values = values_of(variant, {}, {});
    std::uint64_t times = 0;
    for (const AccessSpec& access : variant.access) {
      INFO(variant.workload << "/" << variant.name << ", " << access.operand);
      Parameters first = values;  // bytes may depend on the thread
      for (const char* name : {"i", "t", "tx", "ty", "b", "bx", "by", "bz", "tz"})
        first.try_emplace(name, std::int64_t{0});
      CHECK(parsed_expression(access.bytes).count(first) > 0);
      CHECK_NOTHROW(times += parsed_expression(access.times).count(values));
      CHECK_NOTHROW(first_warp(variant, access, values));
    }
    INFO(variant.workload << "/" << variant.name);
    CHECK((variant.access.empty() || times > 0));
  }
}

TEST_CASE("a transpose strides on one side, and a padding column takes the conflicts away", "[cuda]") {
  const auto read = AccessKind::read;
  const auto write = AccessKind::write;
  CHECK(cost_of("transpose", "naive", AccessSpace::global, read, {}) == 4);
  CHECK(cost_of("transpose", "naive", AccessSpace::global, write, {}) == 32);
  for (const char* name : {"shared", "shared_padded"}) {
    CHECK(cost_of("transpose", name, AccessSpace::global, read, {}) == 4);
    CHECK(cost_of("transpose", name, AccessSpace::global, write, {}) == 4);
    CHECK(cost_of("transpose", name, AccessSpace::shared, write, {}) == 1);
  }
  CHECK(cost_of("transpose", "shared", AccessSpace::shared, read, {}) == 32);
  CHECK(cost_of("transpose", "shared_padded", AccessSpace::shared, read, {}) == 1);
  // Two half warps.
  CHECK(cost_of("transpose", "shared", AccessSpace::shared, read, f64) == 2 * 16);
  CHECK(cost_of("transpose", "shared_padded", AccessSpace::shared, read, f64) == 2);
  CHECK(cost_of("transpose", "vectorized", AccessSpace::global, write, {}) == 16);
  CHECK(cost_of("transpose", "vectorized", AccessSpace::shared, write, {}) == 2);
  CHECK(cost_of("transpose", "vectorized", AccessSpace::shared, read, {}) == 2);
}

TEST_CASE("the published index order meets eight words in a bank", "[cuda]") {
  for (const auto kind : {AccessKind::read, AccessKind::write}) {
    CHECK(cost_of("bank_conflicts", "column_major", AccessSpace::shared, kind, {}) == 1);
    CHECK(cost_of("bank_conflicts", "row_major_as_published", AccessSpace::shared, kind, {}) == 8);
    CHECK(cost_of("bank_conflicts", "row_major_shared_only", AccessSpace::shared, kind, {}) == 8);
    CHECK(cost_of("bank_conflicts", "column_major", AccessSpace::global, kind, {}) == 4);
    CHECK(cost_of("bank_conflicts", "row_major_as_published", AccessSpace::global, kind, {}) == 16);
    CHECK(cost_of("bank_conflicts", "row_major_shared_only", AccessSpace::global, kind, {}) == 4);
  }
}

TEST_CASE("a stride conflicts by its common divisor with the banks that a word leaves", "[cuda]") {
  for (std::int64_t stride = 1; stride <= 32; ++stride) {
    for (const std::int64_t padding : {0, 1}) {
      for (const std::int64_t word : {4, 8, 16}) {
        INFO("stride " << stride << " padding " << padding << " word " << word);
        const auto conflict = static_cast<std::size_t>(std::gcd(stride + padding, 128 / word));
        CHECK(cost_of("shared_stride", "rows", AccessSpace::shared, AccessKind::read, {},
                      {{"stride", stride}, {"padding", padding}, {"word", word}}) ==
              static_cast<std::size_t>(word / 4) * conflict);
      }
    }
  }
}
