// What is known of large products, and which errors it shows.
#include "workloads/matmul_reference.hpp"
#include "support/catch.hpp"

#include "workloads/matmul_judge.hpp"

using namespace benchctl;
using test::Judge;

namespace {

bool contains(const std::vector<std::uint64_t>& numbers, std::uint64_t number) {
  return std::ranges::find(numbers, number) != numbers.end();
}

}  // namespace

TEST_CASE("sampled lines are distinct, sorted and hold every border") {
  for (const std::uint64_t extent : {129ULL, 1000ULL, 2049ULL, 16384ULL, 16385ULL, 1ULL << 31}) {
    CAPTURE(extent);
    const auto lines = sample_lines(extent, RandomStream(1, 16));
    CHECK(lines.size() >= 64);
    CHECK(lines.size() < 80);
    CHECK(std::ranges::is_sorted(lines));
    CHECK(std::ranges::adjacent_find(lines) == lines.end());
    CHECK(lines.back() == extent - 1);
    CHECK(lines.front() == 0);
    for (std::uint64_t tile = 8; tile <= 256; tile *= 2) {
      const std::uint64_t last_tile = (extent - 1) / tile * tile;
      if (last_tile == 0) continue;
      CHECK(contains(lines, last_tile));
      CHECK(contains(lines, last_tile - 1));
    }
  }
  CHECK(sample_lines(128, RandomStream(1, 16)).size() == 128);
  CHECK(sample_lines(16384, RandomStream(1, 16)) == sample_lines(16384, RandomStream(1, 16)));
  CHECK(sample_lines(16384, RandomStream(1, 16)) != sample_lines(16384, RandomStream(2, 16)));
}

TEST_CASE("a right product passes the sampled check") {
  const Judge<float> judge(2049, 200, 16);
  const Verification outcome = judge.verdict(judge.naive());
  CAPTURE(outcome.reason);
  CHECK(outcome.ok);
  const std::size_t rows = judge.reference.indices.at("rows").size();
  const std::size_t columns = judge.reference.indices.at("columns").size();
  CHECK(outcome.checked == rows * 200 + (2049 - rows) * columns);
  const Judge<double> wide(2049, 200, 16);
  CHECK(wide.verdict(wide.naive()).ok);
  const Judge<float> long_sums(150, 140, 2500);
  CHECK(long_sums.verdict(long_sums.naive()).ok);
  const Judge<float> columns_only(2049, 8, 16);
  CHECK(columns_only.verdict(columns_only.naive()).ok);
}

TEST_CASE("Freivalds' check finds one wrong element where nothing is compared") {
  const Judge<float> judge(2049, 200, 16);
  const auto& rows = judge.reference.indices.at("rows");
  const auto& columns = judge.reference.indices.at("columns");
  auto c = judge.naive();
  std::size_t i = 900;
  std::size_t j = 50;
  while (contains(rows, i)) ++i;
  while (contains(columns, j)) ++j;

  c[i * judge.n + j] += 1e-3F;
  const Verification outcome = judge.verdict(c);
  CHECK_FALSE(outcome.ok);
  CHECK_THAT(outcome.reason, ContainsSubstring("row " + std::to_string(i) + " "));
  CHECK_THAT(outcome.reason, ContainsSubstring("Freivalds"));
  CHECK(outcome.error_norm < outcome.tolerance_norm);

  // Elements that changed places escape where four drawn signs of both agree: one pair in 16.
  int found = 0;
  for (std::size_t pair = 0; pair < 8; ++pair) {
    c = judge.naive();
    std::swap(c[i * judge.n + 2 * pair], c[i * judge.n + 2 * pair + 1]);
    found += judge.verdict(c).ok ? 0 : 1;
  }
  CHECK(found >= 2);
  c = judge.naive();
  c[i * judge.n + j] = std::numeric_limits<float>::quiet_NaN();
  const Verification poisoned = judge.verdict(c);
  CHECK_FALSE(poisoned.ok);
  CHECK(poisoned.not_a_number == 1);
}

TEST_CASE("the sampled check finds one wrong element in a known row or column") {
  const Judge<float> judge(2049, 200, 16);
  const auto& rows = judge.reference.indices.at("rows");
  const auto& columns = judge.reference.indices.at("columns");
  std::size_t unknown_row = 900;
  while (contains(rows, unknown_row)) ++unknown_row;
  std::size_t unknown_column = 50;
  while (contains(columns, unknown_column)) ++unknown_column;
  const std::array<std::array<std::size_t, 2>, 4> places{
      {{2048, 199}, {rows[3], unknown_column}, {unknown_row, columns[5]}, {0, 0}}};
  for (const auto& [i, j] : places) {
    auto c = judge.naive();
    c[i * judge.n + j] += 0.25F;
    const Verification outcome = judge.verdict(c);
    CHECK_FALSE(outcome.ok);
    CHECK(outcome.worst_element == "C[" + std::to_string(i) + ", " + std::to_string(j) + "]");
    CHECK(std::abs(outcome.worst_error - 0.25) < 1e-4);
  }
}

TEST_CASE("C is read in bounded pieces, also where a row is longer than a piece") {
  const Judge<float> judge(2, 1'200'000, 1);
  const Verification outcome = judge.verdict(judge.naive());
  CHECK(outcome.ok);
  CHECK(outcome.checked == 2'400'000);
  CHECK(judge.largest_read <= (std::size_t{4} << 20));
  auto c = judge.naive();
  c[1'200'000 + 700'000] += 1;
  CHECK(judge.verdict(c).worst_element == "C[1, 700000]");
}
