
#include <cstring>

#include "support/catch.hpp"
#include "workloads/checks.hpp"
#include "workloads/generator.hpp"
#include "workloads/probed.hpp"

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("random bytes are the same for every slicing, and words are made of them") {
  const RandomStream stream(7, 3);
  std::vector<std::byte> whole(1003);
  random_bytes(stream, 0, whole);
  for (std::uint64_t first = 0; first < 20; ++first) {
    for (std::size_t length = 0; length < 30; ++length) {
      std::vector<std::byte> slice(length);
      random_bytes(stream, first, slice);
      INFO(first << " + " << length);
      CHECK(std::equal(slice.begin(), slice.end(), whole.begin() + static_cast<std::ptrdiff_t>(first)));
    }
  }
  for (std::uint64_t i = 0; i < whole.size() / 4; ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, &whole[4 * i], 4);
    REQUIRE(word == random_word(stream, i));
  }
}

TEST_CASE("one wrong bit anywhere is found and named") {
  ProblemSpec spec;
  spec.buffers = {{"out", DType::u32, 3000000, BufferRole::out, Space::device}};
  const RandomStream stream(1, 0);
  std::vector<std::byte> output(spec.bytes());
  random_bytes(stream, 0, output);
  const auto check = [&] {
    return check_bits(
        spec, 0, [&](std::uint64_t first, std::span<std::byte> out) { random_bytes(stream, first, out); },
        reader_of({std::cref(output)}));
  };
  const Verification right = check();
  CHECK(right.ok);
  CHECK(right.checked == 3000000);
  CHECK(right.reason.empty());
  for (const std::size_t place :
       {std::size_t{0}, std::size_t{1}, std::size_t{8} << 20, output.size() - 1}) {
    output[place] ^= std::byte{0x10};
    const Verification wrong = check();
    CHECK_FALSE(wrong.ok);
    CHECK(wrong.error_norm > 0);
    CHECK(wrong.worst_element == "out[" + std::to_string(place / 4) + "]");
    CHECK_THAT(wrong.reason, ContainsSubstring("1 of 3000000 elements of out are wrong"));
    output[place] ^= std::byte{0x10};
  }
}
