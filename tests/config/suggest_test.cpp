#include "model/words.hpp"
#include "support/catch.hpp"

using benchctl::did_you_mean;
using benchctl::edit_distance;
using benchctl::nearest_name;
using benchctl::nearest_pattern;
using Names = std::vector<std::string>;

TEST_CASE("edit distance counts inserted, deleted, replaced and swapped letters") {
  for (const auto& [one, other, edits] :
       std::initializer_list<std::tuple<const char*, const char*, int>>{{"", "", 0},
                                                                        {"", "abc", 3},
                                                                        {"abc", "", 3},
                                                                        {"tile", "tile", 0},
                                                                        {"tile", "tiles", 1},
                                                                        {"tile", "tie", 1},
                                                                        {"tile", "tale", 1},
                                                                        {"tile", "tiel", 1},
                                                                        {"itle", "tile", 1},
                                                                        {"kitten", "sitting", 3},
                                                                        {"sunday", "saturday", 3}})
    CHECK(edit_distance(one, other) == static_cast<std::size_t>(edits));
  // No byte is edited twice: with that allowed it would be 2.
  CHECK(edit_distance("ca", "abc") == 3);
  CHECK(edit_distance("abcd", "badc") == 2);
}

TEST_CASE("the nearest name is found and the first of equals wins") {
  CHECK(nearest_name("tiel", Names{"n", "tile", "dtype"}) == "tile");
  CHECK(nearest_name("f23", Names{"f64", "f32"}) == "f32");
  CHECK(nearest_name("aax", Names{"aab", "aac"}) == "aab");
  CHECK(nearest_name("workloads", Names{"name", "workload"}) == "workload");
  CHECK(nearest_name("vender", Names{"naive", "vendor", "sender"}) == "vendor");
}

TEST_CASE("what is too far away is not suggested") {
  CHECK_FALSE(nearest_name("tile", Names{}));
  CHECK_FALSE(nearest_name("zzzz", Names{"tile", "n"}));
  // A third of the longer word: 1 of 3 to 5 letters, 2 of 6 to 8, never more than 3.
  CHECK(nearest_name("abxy", Names{"abcy"}) == "abcy");
  CHECK_FALSE(nearest_name("abxyz", Names{"abcdz"}));
  CHECK(nearest_name("abcxyz", Names{"abcdez"}) == "abcdez");
  CHECK(nearest_name("abcdefghi123", Names{"abcdefghijkl"}) == "abcdefghijkl");
  CHECK_FALSE(nearest_name("abcdefghi1234", Names{"abcdefghijklm"}));
  // One-letter names are not corrections of each other.
  CHECK_FALSE(nearest_name("x", Names{"n"}));
  CHECK_FALSE(nearest_name("x", Names{"xy"}));
}

TEST_CASE("a pattern that matches nothing is mended word by word, or gets its stars") {
  const Names labels{"matmul/tiled @ gpu:0 n=512 tile=16", "matmul/naive @ gpu:0 n=512"};
  CHECK(nearest_pattern("*tilde*n=512*", labels) == "*tiled*n=512*");
  CHECK(nearest_pattern("naive", labels) == "*naive*");
  CHECK(nearest_pattern("nave", labels) == "*naive*");
  CHECK(nearest_pattern("*n=521*", labels) == "*n=512*");
  CHECK(nearest_pattern("gppu:0", Names{"cpu:0", "gpu:0"}) == "gpu:0");
  CHECK(nearest_pattern("gppu:*", Names{"cpu:0", "gpu:0"}) == "gpu:*");
  CHECK(nearest_pattern("opencl:poc:0", Names{"cpu:0", "opencl:pocl:0"}) == "opencl:pocl:0");
  CHECK_FALSE(nearest_pattern("*quite another*", labels));
  CHECK_FALSE(nearest_pattern("*tiled*naive*", labels));
  CHECK_FALSE(nearest_pattern("x", Names{}));
  CHECK(did_you_mean("a") == " (did you mean 'a'?)");
  CHECK(did_you_mean(std::nullopt).empty());
}
