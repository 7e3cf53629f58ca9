#include "workloads/generator.hpp"
#include "support/catch.hpp"

#include <atomic>
#include <stdexcept>

using namespace benchctl;

TEST_CASE("random bits are those computed independently") {
  // Computed with unbounded integers in another language from the published SplitMix64 constants and the
  // mask.
  CHECK(RandomStream(1, 0).bits(0) == 0x86a7a2ddb5b82243);
  CHECK(RandomStream(1, 0).bits(1) == 0x815bee023320dbd7);
  CHECK(RandomStream(1, 1).bits(0) == 0xdd9f31acf4cfa965);
  CHECK(RandomStream(2, 0).bits(0) == 0x66997ed87c279680);
  CHECK(RandomStream(1, 0).bits(1'000'000'000'000) == 0x3a2f38b968a381cb);
}

TEST_CASE("random values are the exact fractions of their draws") {
  CHECK(RandomStream(1, 0).f32(0) == 436130.0F / 8388608.0F);
  CHECK(RandomStream(1, 1).f32(0) == 6135601.0F / 8388608.0F);
  CHECK(RandomStream(1, 0).f64(0) == 234145975809796.0 / 4503599627370496.0);
  CHECK(RandomStream(2, 0).f64(0) == -893697414691598.0 / 4503599627370496.0);
  CHECK(RandomStream(1, 0).sign(0) == -1.0);
  CHECK(RandomStream(2, 0).sign(0) == 1.0);
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
