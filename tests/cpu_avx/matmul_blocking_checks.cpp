// How products are cut up; compiled in where the plugin is built.
#include "matmul_blocking.hpp"
#include "support/catch.hpp"

using namespace benchctl::cpu_avx;

namespace {

Topology machine() {
  Topology topology;
  topology.l1d_bytes = 32 << 10;
  topology.l2_bytes = 1 << 20;
  topology.last_level_cache_bytes = 32 << 20;
  return topology;
}

}  // namespace

TEST_CASE("blocks fit the caches that they are meant for") {
  for (const bool wide_tiles : {false, true}) {
    for (const std::size_t element : {4U, 8U}) {
      for (const unsigned threads : {1U, 2U, 16U}) {
        CAPTURE(wide_tiles, element, threads);
        const RegisterTile tile = wide_tiles ? RegisterTile{14, 128 / element, 32 / element, 24}
                                             : RegisterTile{6, 64 / element, 32 / element, 12};
        const auto blocking = packed_blocking({5000, 5000, 6144}, element, threads, tile, machine(), {});
        // A panel of B in half of the first-level cache, or long and in the second.
        CHECK(blocking.depth == (wide_tiles ? 4096 : 1536) / element);
        CHECK(blocking.tall * blocking.depth * element <= std::size_t{1} << 19);
        CHECK(blocking.tall * blocking.depth * element >= 3 * std::size_t{1} << 16);
        CHECK(blocking.wide * blocking.depth * element * threads <= std::size_t{17} << 20);
        CHECK(blocking.wide % (128 / element) == 0);
        CHECK(blocking.pack_a);
        CHECK(blocking.pack_b);
        CHECK(blocking.fetch_b);
        CHECK(blocking.fetch_c);
      }
    }
  }
}

TEST_CASE("blocks are as large as slabs of even length let them") {
  const auto blocking = packed_blocking({5000, 5000, 1100}, 4, 1, avx512_tile<float>, machine(), {});
  CHECK(blocking.depth == 550);
  CHECK(blocking.tall == (384 << 10) / 2200);
  CHECK(blocking.wide == 2528);  // two of 5000 columns, in whole tiles
  const auto wished = packed_blocking({5000, 5000, 1100}, 4, 1, avx512_tile<float>, machine(), {400});
  CHECK(wished.depth == 367);
}

TEST_CASE("blocks are no larger than the product and its scratch") {
  const auto blocking = packed_blocking({3, 5, 2}, 4, 1, avx512_tile<float>, machine(), {});
  CHECK(blocking.depth == 2);
  CHECK(blocking.tall == 3);
  CHECK(blocking.wide == 32);
  CHECK_FALSE(blocking.pack_a);
  CHECK_FALSE(blocking.pack_b);
  CHECK_FALSE(blocking.stream);
  CHECK_FALSE(blocking.fetch_b);
  CHECK_FALSE(blocking.fetch_c);
  const PackedScratch least = packed_scratch<float>(blocking);
  CHECK(least.b == 0);
  CHECK(least.slim == 0);
  CHECK(least.elements == 8 * 16);
  const auto copied =
      packed_blocking({3, 5, 2}, 4, 1, avx512_tile<float>, machine(), {0, 0, 0, "both", "streaming"});
  CHECK(copied.stream);
  const PackedScratch scratch = packed_scratch<float>(copied);
  CHECK(scratch.b == 3 * 16);
  CHECK(scratch.slim == 3 * 16 + 32 * 2);
  CHECK(scratch.elements == 3 * 16 + 32 * 2 + 8 * 16);
}

TEST_CASE("operands are copied where that pays") {
  const auto packs = [](std::size_t m, std::size_t n, std::size_t k) {
    const auto blocking = packed_blocking({m, n, k}, 4, 1, avx512_tile<float>, machine(), {});
    return std::pair(blocking.pack_a, blocking.pack_b);
  };
  CHECK(packs(256, 256, 256) == std::pair(false, false));
  CHECK(packs(4096, 4096, 32) == std::pair(false, true));
  CHECK(packs(32, 1024, 1024) == std::pair(true, false));
  CHECK(packs(32, 4096, 4096) == std::pair(true, true));
  CHECK(packs(1024, 1024, 1024) == std::pair(true, true));
  // A is read by few panels, each time once.
  CHECK(packs(1000, 256, 1024) == std::pair(false, true));
  CHECK(packs(1000, 257, 1024) == std::pair(true, true));
}

TEST_CASE("B is copied for more rows, unless its own share few sets of the first-level cache") {
  struct Case {
    std::size_t m, n, k;
    RegisterTile tile;
    bool copied;
  };
  const RegisterTile narrow = avx2_tile<float>;
  const RegisterTile wide = avx512_tile<float>;
  // The last one comes from memory.
  const std::vector<Case> cases{
      {256, 1100, 300, wide, false},  {257, 1100, 300, wide, true}, {64, 1024, 300, wide, false},
      {65, 1024, 300, wide, true},    {100, 1026, 300, wide, true}, {100, 1040, 300, wide, false},
      {32, 2048, 300, wide, true},    {14, 2048, 300, wide, false}, {14, 2048, 300, narrow, true},
      {14, 1536, 300, narrow, true},  {14, 1536, 300, wide, false}, {32, 1024, 1024, narrow, true},
      {32, 512, 1024, narrow, false}, {32, 4000, 4000, wide, true}};
  for (const Case& one : cases) {
    CAPTURE(one.m, one.n, one.k);
    CHECK(packed_blocking({one.m, one.n, one.k}, 4, 1, one.tile, machine(), {}).pack_b == one.copied);
  }
}

TEST_CASE("short sums keep B in registers, and C in the last cache where that holds it") {
  const auto of = [](std::size_t n, std::size_t k, RegisterTile tile) {
    return packed_blocking({n, n, k}, 4, 1, tile, machine(), {});
  };
  CHECK(of(500, 6, avx2_tile<float>).short_sums);
  CHECK_FALSE(of(500, 7, avx2_tile<float>).short_sums);
  CHECK(of(8, 12, avx2_tile<float>).short_sums);
  CHECK_FALSE(of(9, 12, avx2_tile<float>).short_sums);
  CHECK(of(500, 12, avx512_tile<float>).short_sums);
  CHECK_FALSE(of(500, 13, avx512_tile<float>).short_sums);
  CHECK(of(16, 24, avx512_tile<float>).short_sums);
  CHECK_FALSE(of(16, 25, avx512_tile<float>).short_sums);
  // Rows of C share few sets of the caches, or C is written past them.
  CHECK(of(1024, 12, avx2_tile<float>).short_sums);
  CHECK_FALSE(of(1024, 12, avx2_tile<float>).stream);
  CHECK_FALSE(of(1100, 12, avx2_tile<float>).short_sums);
  CHECK(of(3000, 12, avx2_tile<float>).short_sums);
  CHECK(of(3000, 12, avx2_tile<float>).stream);
  CHECK_FALSE(of(3000, 13, avx2_tile<float>).short_sums);
  CHECK(of(1024, 13, avx2_tile<float>).stream);
  // Whoever asks for copies or blocks gets them.
  for (const BlockingWishes& wishes :
       {BlockingWishes{0, 0, 0, "b", "auto"}, BlockingWishes{1, 0, 0, "auto", "auto"}}) {
    CHECK_FALSE(packed_blocking({9, 9, 2}, 4, 1, avx2_tile<float>, machine(), wishes).short_sums);
  }
  CHECK(describe(of(3000, 12, avx2_tile<float>)) == "sums of 12, B in registers, C streamed where aligned");
}

TEST_CASE("a few columns are summed along k where that takes less than it costs to begin") {
  CHECK(slim_pays(1, 8, 200));
  CHECK_FALSE(slim_pays(1, 7, 200));
  CHECK(slim_pays(3, 16, 200));
  CHECK_FALSE(slim_pays(3, 15, 200));
  CHECK(slim_pays(4, 16, 200));
  CHECK_FALSE(slim_pays(4, 16, 39));
  CHECK(slim_pays(4, 32, 1));
  const auto short_sums = [](std::size_t m, std::size_t n, std::size_t element, RegisterTile tile) {
    return packed_blocking({m, n, 12}, element, 1, tile, machine(), {}).short_sums;
  };
  CHECK_FALSE(short_sums(200, 2, 4, avx2_tile<float>));
  CHECK_FALSE(short_sums(200, 2, 8, avx512_tile<double>));
  CHECK(short_sums(200, 2, 8, avx2_tile<double>));  // whose vectors are too short
  CHECK(short_sums(20, 2, 4, avx512_tile<float>));
  CHECK(short_sums(200, 3, 4, avx512_tile<float>));
}

TEST_CASE("few rows copy B panel by panel, all of its columns in turn") {
  const auto blocking = packed_blocking({32, 5000, 4096}, 4, 1, avx2_tile<float>, machine(), {});
  CHECK(blocking.once);
  CHECK(blocking.depth == 128);
  CHECK(blocking.wide == 5024);
  const PackedScratch scratch = packed_scratch<float>(blocking);
  CHECK(scratch.slim - scratch.b == packed_widest_tile<float> * blocking.depth);
  CHECK(packed_blocking({256, 5000, 4096}, 4, 1, avx512_tile<float>, machine(), {}).once);
  CHECK_FALSE(packed_blocking({128, 5000, 4096}, 4, 1, avx2_tile<float>, machine(), {}).once);
  CHECK_FALSE(packed_blocking({100, 1100, 600}, 4, 1, avx512_tile<float>, machine(), {}).once);
  CHECK_FALSE(packed_blocking({32, 512, 512}, 4, 1, avx2_tile<float>, machine(), {}).once);
  CHECK_FALSE(packed_blocking({32, 5000, 4096}, 4, 1, avx2_tile<float>, machine(), {0, 9, 0}).once);
}

TEST_CASE("panels of B are fetched beforehand if they are packed and not in the second-level cache") {
  const auto fetches = [](std::size_t m, std::size_t n, std::size_t k) {
    return packed_blocking({m, n, k}, 4, 1, avx2_tile<float>, machine(), {}).fetch_b;
  };
  CHECK(fetches(500, 1024, 1024));
  CHECK_FALSE(fetches(500, 256, 1024));   // half of the cache
  CHECK_FALSE(fetches(500, 100, 20000));  // not packed: rows are short
  CHECK_FALSE(fetches(32, 5000, 4096));   // packed panel by panel
}

TEST_CASE("an unknown machine gets blocks, too") {
  const auto blocking = packed_blocking({5000, 5000, 5000}, 4, 2, avx2_tile<float>, Topology{}, {});
  CHECK(blocking.depth >= 256);
  CHECK(blocking.tall >= 64);
  CHECK(blocking.wide >= 32);
}

TEST_CASE("rows of packed blocks lie an odd number of lines apart") {
  CHECK(packed_pitch<float>(1) == 16);
  CHECK(packed_pitch<float>(16) == 16);
  CHECK(packed_pitch<float>(17) == 48);
  CHECK(packed_pitch<double>(384) == 392);
}

TEST_CASE("threads divide C so that the largest part is the smallest possible") {
  const auto grid = [](std::size_t m, std::size_t n, unsigned threads) {
    const Grid found = thread_grid({m, n, 100}, threads, avx512_tile<float>);
    return std::pair(found.rows, found.columns);
  };
  CHECK(grid(1000, 1000, 1) == std::pair(1U, 1U));
  CHECK(grid(32, 4096, 2) == std::pair(1U, 2U));
  CHECK(grid(4096, 32, 2) == std::pair(2U, 1U));
  CHECK(grid(100, 100, 2) == std::pair(2U, 1U));
  CHECK(grid(4096, 4096, 4) == std::pair(2U, 2U));
  CHECK(grid(4096, 4096, 16) == std::pair(4U, 4U));
}

TEST_CASE("little work is done by few threads") {
  CHECK(useful_threads({10, 10, 10}, 16) == 1);
  CHECK(useful_threads({46, 46, 46}, 16) == 1);
  CHECK(useful_threads({48, 48, 48}, 16) == 2);
  CHECK(useful_threads({48, 48, 48}, 1) == 1);
  CHECK(useful_threads({1000, 1000, 1000}, 16) == 16);
  CHECK(useful_threads({64, 64, 96}, 16) == 3);
}
