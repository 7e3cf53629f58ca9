#include "model/glob.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using benchctl::glob_match;

TEST_CASE("a pattern without wildcards matches itself alone") {
  CHECK(glob_match("", ""));
  CHECK(glob_match("cuda:0", "cuda:0"));
  CHECK_FALSE(glob_match("cuda:0", "cuda:01"));
  CHECK_FALSE(glob_match("cuda:01", "cuda:0"));
  CHECK_FALSE(glob_match("", "a"));
  CHECK_FALSE(glob_match("a", ""));
  CHECK_FALSE(glob_match("Cuda", "cuda"));
}

TEST_CASE("a star stands for any text, none included") {
  CHECK(glob_match("*", ""));
  CHECK(glob_match("*", "anything"));
  CHECK(glob_match("opencl:*", "opencl:pocl:0"));
  CHECK(glob_match("opencl:*", "opencl:"));
  CHECK_FALSE(glob_match("opencl:*", "cuda:0"));
  CHECK(glob_match("*:0", "opencl:pocl:0"));
  CHECK_FALSE(glob_match("*:0", "opencl:pocl:1"));
  CHECK(glob_match("*tiled*n=512*", "matmul/tiled @ cuda:0 m=512 n=512 tile=8"));
  CHECK_FALSE(glob_match("*tiled*n=512*", "matmul/naive @ cuda:0 n=512"));
  CHECK(glob_match("a**b", "ab"));
  CHECK(glob_match("a*", "a"));
}

TEST_CASE("a star that took too little is tried again") {
  CHECK(glob_match("*ab", "aab"));
  CHECK(glob_match("*aab", "aaaab"));
  CHECK(glob_match("a*b*c", "axbxbxc"));
  CHECK_FALSE(glob_match("a*b*c", "axbxbx"));
  CHECK(glob_match("*a?c*", "xabab-aac"));
}

TEST_CASE("a question mark stands for exactly one byte") {
  CHECK(glob_match("cuda:?", "cuda:7"));
  CHECK_FALSE(glob_match("cuda:?", "cuda:"));
  CHECK_FALSE(glob_match("cuda:?", "cuda:12"));
  CHECK(glob_match("??", "ab"));
  CHECK(glob_match("*?", "a"));
  CHECK_FALSE(glob_match("*?", ""));
}

TEST_CASE("a pattern of many stars ends") {
  std::string pattern;
  for (int i = 0; i < 40; ++i) pattern += "*a";
  CHECK_FALSE(glob_match(pattern + "b", std::string(5000, 'a')));
}
