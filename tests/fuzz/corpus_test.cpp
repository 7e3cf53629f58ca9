// Every input of the corpus, and some that are too large to keep, through its target.
#include "fuzz/target.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

#include <fstream>
#include <sstream>

using namespace benchctl;

namespace {

using Target = void (*)(std::string_view);

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// `more`: inputs beside those of the corpus.
void run_corpus(const std::string& name, Target target, const std::vector<std::string>& more = {}) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(test::fuzz_corpus_directory() / name)) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  REQUIRE_FALSE(files.empty());
  for (const auto& file : files) {
    CAPTURE(file.filename().string());
    std::ostringstream bytes;
    bytes << std::ifstream(file, std::ios::binary).rdbuf();
    CHECK_NOTHROW(target(bytes.str()));
  }
  for (const std::string& input : more) {
    CAPTURE(input.substr(0, 80), input.size());
    CHECK_NOTHROW(target(input));
  }
}

}  // namespace

TEST_CASE("configs of the corpus") {
  run_corpus(
      "config", fuzz::config,
      {repeated("a.", 30'000) + "a = 1\n",  // 60 KB of one key
       "a = " + repeated("[", 30'000), "a = " + repeated("{a=", 20'000),
       "[experiment]\nname = \"x\"\n[[sweep]]\nworkload = \"matmul\"\n" + repeated("k = 1; ", 10'000),
       repeated("[[sweep]]\n", 20'000), "a = \"" + repeated("\xE9", 50'000) + "\"\n"});
}

TEST_CASE("expressions of the corpus") {
  run_corpus("expression", fuzz::expression,
             {repeated("(", 100'000), repeated("-", 999) + "1", repeated("1+", 499) + "1",
              repeated("not ", 200) + "flag", "min(" + repeated("1,", 400) + "1)"});
}

TEST_CASE("frames of the corpus") {
  run_corpus(
      "frame", fuzz::frame,
      {std::string("\x00\x80\x00\x00", 4) + repeated("\x81", 32'768),            // lists in lists
       std::string("\x00\x80\x00\x00", 4) + repeated("\xA1\x61\x61", 10'923)});  // objects in objects
}

TEST_CASE("stored rows of the corpus") {
  run_corpus("stored_rows", fuzz::stored_rows_by_all,
             {"runs.environment_json=" + repeated("[", 20'000) + repeated("]", 20'000),
              "points.problem_json=" + repeated("{\"a\":", 20'000) + "1" + repeated("}", 20'000),
              "points.reason=" + repeated("a|b\\", 10'000)});
}

TEST_CASE("imported documents of the corpus") {
  run_corpus("imported_json", fuzz::imported_json,
             {repeated("[", 100'000), repeated("[", 100'000) + repeated("]", 100'000),
              R"({"schema":"benchctl.report","runs":[{"environment":)" + repeated("[", 100'000) +
                  repeated("]", 100'000) + "}",
              R"({"schema":)" + repeated("[", 100'000) + repeated("]", 100'000) + "}"});
}

TEST_CASE("sources of the corpus") {
  run_corpus("includes", fuzz::includes,
             {repeated("#include \"a.h\"\n", 20'000), repeated("#/**/include/*", 10'000),
              repeated("#", 60'000), repeated("/*", 60'000), repeated("#include\\\n", 20'000)});
}

TEST_CASE("globs of the corpus") {
  run_corpus("glob", fuzz::glob,
             {repeated("*a", 500) + std::string(1, '\0') + repeated("a", 2'000),
              repeated("*", 5'000) + "b" + std::string(1, '\0') + repeated("a", 2'000)});
}
