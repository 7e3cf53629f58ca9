// `fill` of `[[workload.NAME.buffer]]`: what inputs hold.
#include "config/declared.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <set>

using namespace benchctl;
using namespace benchctl::test;
using namespace benchctl::test::declared;

namespace {

/// What x of n elements of a type holds for a seed, as float64, and the slice from 50 on.
std::vector<double> filled_as(const std::string& type, const std::string& fill, std::int64_t n,
                              std::uint64_t seed) {
  const std::string typed = replaced(scale, "\"dtype\"\ncount", "\"" + type + "\"\ncount");
  const Declared own(replaced(typed, "\"index\"", fill) + by_kernel);
  const ProblemSpec spec = own.problem(n);
  std::vector<std::byte> whole(spec.buffers[0].bytes());
  own.workload().generate(spec, 0, seed, 0, whole);
  const std::size_t size = size_of(spec.buffers[0].type);
  const std::uint64_t first = std::min<std::uint64_t>(50, spec.buffers[0].count - 1);
  std::vector<std::byte> slice(std::min<std::size_t>(40, spec.buffers[0].count - first) * size);
  own.workload().generate(spec, 0, seed, first, slice);
  CHECK(std::ranges::equal(slice, std::span(whole).subspan(first * size, slice.size())));
  Reference kept;
  append_elements(kept, "x", spec.buffers[0].type, whole);
  std::vector<double> numbers = kept.reals["x"];
  for (const std::uint64_t one : kept.indices["x"]) numbers.push_back(static_cast<double>(one));
  return numbers;
}

}  // namespace

TEST_CASE("fills stay in their ranges, whole numbers are rounded down") {
  const auto [type, fill, n, low, high] =
      GENERATE(table<std::string, std::string, std::int64_t, double, double>(
          {{"f32", "{ uniform = [2, 3] }", 100, 2, 3},
           {"f32", "{ integers = [-2, 2] }", 100, -2, 2},
           {"f32", "{ constant = \"n\" }", 100, 100, 100},
           {"f32", "{ index = [5, 2] }", 100, 5, 203},
           {"i8", "{ index = [0, 50] }", 5, 0, 127},
           {"u8", "{ index = [-1, 100] }", 5, 0, 255},
           {"i16", "{ index = [-2.5, 2] }", 5, -3, 5},
           {"u64", "{ constant = \"2.0 ** 63\" }", 5, 0x1p63, 0x1p63},
           {"i64", "{ constant = \"2.0 ** 64\" }", 5, 0x1p63, 0x1p63},
           {"f16", "{ index = [0.5, 30000] }", 5, 0.5, HUGE_VAL},
           {"bf16", "{ index = [0, 1.003] }", 5, 0, 4}}));
  CAPTURE(type, fill);
  const std::vector<double> numbers = filled_as(type, fill, n, 3);
  REQUIRE(numbers.size() == static_cast<std::size_t>(n));
  CHECK(std::ranges::min(numbers) >= low);
  CHECK(std::ranges::max(numbers) <= high);
  if (fill.find("index") == std::string::npos) return;
  CHECK(numbers.front() == low);
  CHECK(numbers.back() == high);
}

TEST_CASE("inputs may be listed, or lie in a file that is kept with the run") {
  const TemporaryDirectory folder;
  const std::vector<float> numbers{0.25F, -1, 7, 0};
  static_cast<void>(
      folder.write("x.bin", std::string(reinterpret_cast<const char*>(numbers.data()), 4 * sizeof(float))));
  const auto [fill, kept] = GENERATE(table<std::string, std::size_t>(
      {{"{ values = [0.25, -1, \"n + 3\", 0] }", 0}, {"{ file = \"x.bin\" }", 1}}));
  CAPTURE(fill);
  const Declared own(folder, replaced(scale, "\"index\"", fill) + by_kernel);
  CHECK(own.config.data_files.size() == kept);
  CHECK(filled(own.workload(), own.problem(4), 0) == numbers);
  std::vector<float> slice(2);
  own.workload().generate(own.problem(4), 0, 9, 1, std::as_writable_bytes(std::span(slice)));
  CHECK(slice == std::vector<float>{-1, 7});
  CHECK_THROWS_WITH(own.problem(5), ContainsSubstring("4 "));
  CHECK_THROWS_WITH(own.problem(3), ContainsSubstring("3 elements"));
  const std::unique_ptr<Workload> sent = make_workload(own.workload().definition());
  CHECK(filled(*sent, own.problem(4), 0) == numbers);
}

TEST_CASE("sorted inputs ascend in steps that nobody can guess, in every slice and for every seed") {
  const auto [type, fill, low, high] = GENERATE(
      table<std::string, std::string, double, double>({{"f32", "\"sorted\"", -1, 1},
                                                       {"f64", "{ sorted = [\"-n\", 0] }", -1000, 0},
                                                       {"i32", "\"sorted\"", 0, 255},
                                                       {"i32", "{ sorted = [10, 1000000] }", 10, 1000000},
                                                       {"u64", "{ sorted = [3, 3] }", 3, 3}}));
  CAPTURE(type, fill);
  const std::vector<double> first = filled_as(type, fill, 1000, 3);
  CHECK(std::ranges::is_sorted(first));
  CHECK(first.front() >= low);
  CHECK(first.back() <= high);
  const std::vector<double> other = filled_as(type, fill, 1000, 4);
  if (low < high) {
    CHECK(first.front() < low + 0.1 * (high - low));
    CHECK(first.back() > high - 0.1 * (high - low));
    // The middle is anywhere in a quarter of the range.
    CHECK(std::abs(first[500] - other[500]) > 1e-3 * (high - low));
  }
}

TEST_CASE("offsets ascend from one number to another in random steps") {
  const auto [type, start, end] = GENERATE(table<std::string, int, int>(
      {{"i32", 0, 100000}, {"u64", 7, 100000}, {"i32", 0, 0}, {"u32", 3, 7}, {"f64", 0, 500}}));
  CAPTURE(type, start, end);
  const std::string fill = "{ offsets = [" + std::to_string(start) + ", " + std::to_string(end) + "] }";
  const std::vector<double> rows = filled_as(type, fill, 1001, 3);
  CHECK(std::ranges::is_sorted(rows));
  CHECK(rows.front() == start);
  CHECK(rows.back() == end);
  if (end < 1000) return;
  std::set<double> lengths;
  for (std::size_t i = 1; i < rows.size(); ++i) lengths.insert(rows[i] - rows[i - 1]);
  CHECK(lengths.size() > 50);
  CHECK(filled_as(type, fill, 1001, 4) != rows);
}

TEST_CASE("a permutation has every number once, in another order for each seed") {
  const auto [type, n] =
      GENERATE(table<std::string, std::int64_t>({{"u8", 256}, {"i32", 1000}, {"u64", 51}, {"f32", 4099}}));
  CAPTURE(type, n);
  std::vector<double> numbers = filled_as(type, "\"permutation\"", n, 3);
  CHECK(filled_as(type, "\"permutation\"", n, 4) != numbers);
  CHECK_FALSE(std::ranges::is_sorted(numbers));
  std::ranges::sort(numbers);
  for (std::int64_t i = 0; i < n; ++i)
    CHECK(numbers[static_cast<std::size_t>(i)] == static_cast<double>(i));
}

TEST_CASE("an input may have the numbers of another one in its own layout") {
  const auto [fill, layout] =
      GENERATE(table<std::string, std::string>({{"\"uniform\"", "i % 2 * 3 + i // 2"},
                                                {"{ values = [1, 2, 3, 4, 5, 6] }", "if(i < 5, i, -1)"},
                                                {"\"permutation\"", ""},
                                                {"\"sorted\"", "5 - i"}}));
  CAPTURE(fill, layout);
  const std::string other =
      "[[workload.own_scale.buffer]]\nname = \"z\"\ntype = \"dtype\"\ncount = 6\n"
      "role = \"in\"\nfill = { like = \"x\"" +
      (layout.empty() ? "" : ", layout = \"" + layout + "\"") + " }\n";
  const Declared own(replaced(scale, "\"index\"", fill) + other + by_kernel);
  const ProblemSpec spec = own.problem(6);
  const std::vector<float> x = filled(own.workload(), spec, 0);
  const std::vector<float> z = filled(own.workload(), spec, 2);
  if (layout.starts_with("i %")) CHECK(z == std::vector{x[0], x[3], x[1], x[4], x[2], x[5]});
  if (layout.starts_with("if")) CHECK(z == std::vector<float>{1, 2, 3, 4, 5, 0});
  if (layout.empty()) CHECK(z == x);
  if (layout.starts_with("5")) CHECK(z == std::vector<float>(x.rbegin(), x.rend()));
  if (!layout.empty()) return;
  CHECK_THROWS_WITH(filled(own.workload(), own.problem(5), 2),
                    ContainsSubstring("is 5 for i = 5: x has elements 0 to 4"));
}
