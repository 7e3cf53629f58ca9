#include "workloads/generator.hpp"

#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <cmath>
#include <cstring>
#include <set>
#include <stdexcept>
#include <vector>

using namespace benchctl;

TEST_CASE("random bits are those computed independently") {
  // Computed with unbounded integers in another language from the published SplitMix64 constants.
  CHECK(RandomStream(1, 0).bits(0) == 0xa7ed8821dca10c0e);
  CHECK(RandomStream(1, 0).bits(1) == 0xb18a02f46d8d86c3);
  CHECK(RandomStream(1, 1).bits(0) == 0x13dd71e27a518e07);
  CHECK(RandomStream(2, 0).bits(0) == 0x07c630a6d6831eed);
  CHECK(RandomStream(1, 0).bits(1'000'000'000'000) == 0xf98c8a0285aae331);
}

TEST_CASE("random values are the exact fractions of their draws") {
  CHECK(RandomStream(1, 0).f32(0) == 2616712.0F / 8388608.0F);
  CHECK(RandomStream(1, 1).f32(0) == -7086735.0F / 8388608.0F);
  CHECK(RandomStream(1, 0).f64(0) == 1404836628894753.0 / 4503599627370496.0);
  CHECK(RandomStream(2, 0).f64(0) == -4230069990272925.0 / 4503599627370496.0);
  CHECK(RandomStream(1, 0).sign(0) == -1.0);
  CHECK(RandomStream(1, 1).sign(0) == 1.0);
}

TEST_CASE("a slice holds the same values wherever it is cut") {
  const RandomStream stream(7, 3);
  std::vector<float> whole(1000);
  fill_uniform(stream, 0, std::span(whole));
  std::vector<double> whole_wide(1000);
  fill_uniform(stream, 0, std::span(whole_wide));
  for (const std::size_t first : {0U, 1U, 17U, 999U}) {
    std::vector<float> part(1000 - first);
    fill_uniform(stream, first, std::span(part));
    CHECK(std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(first)));
    std::vector<double> part_wide(1000 - first);
    fill_uniform(stream, first, std::span(part_wide));
    CHECK(std::equal(part_wide.begin(), part_wide.end(),
                     whole_wide.begin() + static_cast<std::ptrdiff_t>(first)));
  }
}

TEST_CASE("random values are uniform from -1 to below 1") {
  constexpr std::size_t count = 1 << 20;
  const auto examine = [](const auto& values) {
    double sum = 0;
    double squares = 0;
    double neighbours = 0;
    std::vector<std::size_t> bins(16);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto value = static_cast<double>(values[i]);
      REQUIRE(value >= -1.0);
      REQUIRE(value < 1.0);
      sum += value;
      squares += value * value;
      if (i > 0) neighbours += value * static_cast<double>(values[i - 1]);
      ++bins[static_cast<std::size_t>((value + 1) * 8)];
    }
    const auto n = static_cast<double>(values.size());
    // Five standard deviations: of the mean sqrt(1/3n), of the squares sqrt(4/45n), of products 1/(3 sqrt
    // n).
    CHECK(std::abs(sum / n) < 5 * std::sqrt(1 / (3 * n)));
    CHECK(std::abs(squares / n - 1.0 / 3) < 5 * std::sqrt(4 / (45 * n)));
    CHECK(std::abs(neighbours / n) < 5 / (3 * std::sqrt(n)));
    for (const std::size_t bin : bins) {
      CHECK(std::abs(static_cast<double>(bin) - n / 16) < 5 * std::sqrt(n / 16));
    }
  };
  std::vector<float> narrow(count);
  fill_uniform(RandomStream(1, 0), 0, std::span(narrow));
  examine(narrow);
  std::vector<double> wide(count);
  fill_uniform(RandomStream(1, 1), 0, std::span(wide));
  examine(wide);
}

TEST_CASE("seeds and streams give different sequences") {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (std::uint64_t stream = 0; stream < 20; ++stream) {
      for (std::uint64_t index = 0; index < 20; ++index) {
        seen.insert(RandomStream(seed, stream).bits(index));
      }
    }
  }
  CHECK(seen.size() == 20 * 20 * 20);
}

TEST_CASE("fill_parallel covers every element once, whatever the number of threads") {
  const RandomStream stream(5, 0);
  for (const std::size_t count : {1U, 1000U, 200'001U}) {
    std::vector<float> expected(count);
    fill_uniform(stream, 12345, std::span(expected));
    for (const unsigned threads : {0U, 1U, 2U, 3U, 7U}) {
      std::vector<float> values(count, -5.0F);
      std::atomic<std::size_t> filled = 0;
      std::atomic<std::size_t> misplaced = 0;  // Catch2's CHECK is for one thread
      fill_parallel(12345, std::as_writable_bytes(std::span(values)), sizeof(float), threads,
                    [&](std::uint64_t first, std::span<std::byte> out) {
                      filled += out.size() / sizeof(float);
                      const std::size_t offset = first - 12345;
                      fill_uniform(stream, first,
                                   std::span(values).subspan(offset, out.size() / sizeof(float)));
                      const void* place = values.data() + offset;
                      if (static_cast<const void*>(out.data()) != place) ++misplaced;
                    });
      CHECK(filled == count);
      CHECK(misplaced == 0);
      CHECK(values == expected);
    }
  }
}

TEST_CASE("fill_parallel passes an exception of a slice on") {
  std::vector<std::byte> bytes(std::size_t{1} << 20);
  CHECK_THROWS_AS(fill_parallel(0, bytes, 1, 4,
                                [](std::uint64_t first, std::span<std::byte>) {
                                  if (first != 0) throw std::runtime_error("slice");
                                }),
                  std::runtime_error);
}
