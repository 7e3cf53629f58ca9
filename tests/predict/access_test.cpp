// Patterns counted by hand, among them those of the tutorials.
#include <numeric>

#include "predict/access.hpp"
#include "support/catch.hpp"

using namespace benchctl::predict;

namespace {

/// 32 threads, thread t at offset(t).
template <class Offset>
std::vector<Access> warp(std::uint32_t bytes, Offset offset) {
  std::vector<Access> accesses;
  for (std::uint64_t t = 0; t < 32; ++t) accesses.push_back({std::uint64_t{offset(t)}, bytes});
  return accesses;
}

/// The n of an n-way conflict.
std::uint32_t degree(const Turns& turns) {
  REQUIRE(turns.cycles % turns.conflict_free == 0);
  return turns.cycles / turns.conflict_free;
}

}  // namespace

TEST_CASE("an aligned warp of floats moves one line of four sectors and nothing in vain") {
  const auto request = warp(4, [](std::uint64_t t) { return 4 * t; });
  CHECK(requested_bytes(request) == 128);
  CHECK(pieces(request, 32) == 4);
  CHECK(pieces(request, 128) == 1);
  CHECK(length(united(request)) == 128);
}

TEST_CASE("a stride of s floats uses one in s, down to one float per sector") {
  const std::uint64_t stride = GENERATE(1, 2, 4, 8, 16, 32);
  const auto request = warp(4, [&](std::uint64_t t) { return 4 * t * stride; });
  CHECK(pieces(request, 32) == 4 * std::min<std::uint64_t>(stride, 8));
  CHECK(pieces(request, 128) == stride);
  CHECK(length(united(request)) == 128);
}

TEST_CASE("all threads at one address move one sector; threads that ask for nothing move none") {
  CHECK(pieces(warp(4, [](std::uint64_t) { return std::uint64_t{64}; }), 32) == 1);
  CHECK(length(united(warp(4, [](std::uint64_t) { return std::uint64_t{64}; }))) == 4);
  const std::vector<Access> idle(32);
  CHECK(pieces(idle, 32) == 0);
  CHECK(bank_cycles(idle, 32, 4).conflict_free == 0);
}

TEST_CASE("an access across a border counts in both pieces") {
  const std::vector<Access> one{{30, 4}};
  CHECK(pieces(one, 32) == 2);
  CHECK(pieces(one, 4) == 2);
  CHECK(pieces(one, 1) == 4);
}

TEST_CASE("a stride of s words conflicts gcd(s, banks)-fold, for any number of banks") {
  const std::uint32_t banks = GENERATE(16U, 32U);
  const auto stride = GENERATE(range(std::uint64_t{1}, std::uint64_t{33}));
  std::vector<Access> request;
  for (std::uint64_t t = 0; t < banks; ++t) request.push_back({4 * t * stride, 4});
  const Turns cycles = bank_cycles(request, banks, 4);
  CHECK(cycles.conflict_free == 1);
  CHECK(cycles.cycles == std::gcd(stride, std::uint64_t{banks}));
}

TEST_CASE("threads that read one word share it") {
  CHECK(degree(bank_cycles(warp(4, [](std::uint64_t) { return std::uint64_t{0}; }), 32, 4)) == 1);
  // Two words of one bank, half the warp each.
  CHECK(degree(bank_cycles(warp(4, [](std::uint64_t t) { return t % 2 * 128; }), 32, 4)) == 2);
  // Bytes of one word.
  CHECK(degree(bank_cycles(warp(1, [](std::uint64_t t) { return t; }), 32, 4)) == 1);
}

TEST_CASE("a padded tile has no conflict down its columns, a plain one has 32") {
  CHECK(degree(bank_cycles(warp(4, [](std::uint64_t t) { return 4 * 32 * t; }), 32, 4)) == 32);
  CHECK(degree(bank_cycles(warp(4, [](std::uint64_t t) { return 4 * 33 * t; }), 32, 4)) == 1);
}

TEST_CASE("wide words are served in parts of a warp") {
  const Turns eight = bank_cycles(warp(8, [](std::uint64_t t) { return 8 * t; }), 32, 4);
  CHECK(eight.conflict_free == 2);
  CHECK(degree(eight) == 1);
  const Turns sixteen = bank_cycles(warp(16, [](std::uint64_t t) { return 16 * t; }), 32, 4);
  CHECK(sixteen.conflict_free == 4);
  CHECK(degree(sixteen) == 1);
  CHECK(degree(bank_cycles(warp(8, [](std::uint64_t t) { return 8 * 2 * t; }), 32, 4)) == 2);
  CHECK(degree(bank_cycles(warp(16, [](std::uint64_t t) { return 16 * 8 * t; }), 32, 4)) == 8);
}

TEST_CASE("what threads ask for is united: each byte once, in order") {
  const std::vector<Access> accesses{{8, 4}, {0, 4}, {4, 4}, {10, 6}, {32, 0}, {20, 4}, {20, 2}};
  const std::vector<Extent> extents = united(accesses);
  CHECK(extents == std::vector<Extent>{{0, 16}, {20, 24}});
  CHECK(length(extents) == 20);
  CHECK(pieces(extents, 16) == 2);
  CHECK(pieces(extents, 4) == 5);
  CHECK(pieces(extents, 64) == 1);
  CHECK(united(std::vector<Access>{}).empty());
}

TEST_CASE("gaps: sectors that are covered neither wholly nor not at all") {
  // 16-byte structs of which 12 bytes are stored to: every sector of 32 bytes has gaps.
  const auto structs = united(warp(12, [](std::uint64_t t) { return 16 * t; }));
  CHECK(pieces_with_gaps(structs, 32, 32) == 16);
  CHECK(pieces_with_gaps(structs, 32, 64) == 8);
  // Whole sectors, every other one: no gap inside any.
  CHECK(pieces_with_gaps(united(warp(32, [](std::uint64_t t) { return 64 * t; })), 32, 64) == 0);
  // 4 bytes behind an aligned place: gaps in the first sector and the last, not between.
  const auto shifted = united(warp(4, [](std::uint64_t t) { return 4 * t + 4; }));
  CHECK(pieces_with_gaps(shifted, 32, 32) == 2);
  // What lies behind the end of the buffer is no gap.
  CHECK(pieces_with_gaps(shifted, 32, 32, 132) == 1);
  CHECK(pieces_with_gaps(shifted, 32, 32, 136) == 2);
}

TEST_CASE("constant memory serves one address at a time") {
  CHECK(degree(constant_turns(warp(4, [](std::uint64_t) { return std::uint64_t{12}; }))) == 1);
  CHECK(degree(constant_turns(warp(4, [](std::uint64_t t) { return 4 * t; }))) == 32);
  CHECK(degree(constant_turns(warp(4, [](std::uint64_t t) { return 4 * (t / 8); }))) == 4);
  CHECK(constant_turns(std::vector<Access>(32)).conflict_free == 0);
}
