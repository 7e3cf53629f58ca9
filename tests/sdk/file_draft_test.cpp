#include <benchctl/file_draft.hpp>

#include <iterator>

#include "support/catch.hpp"
#include "support/contents_of.hpp"
#include "support/paths.hpp"

using namespace benchctl;
namespace fs = std::filesystem;

namespace {

std::ptrdiff_t files_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

}  // namespace

TEST_CASE("a file is replaced whole, and nothing is left beside it", "[sdk]") {
  const test::TemporaryDirectory folder;
  const fs::path file = folder.path() / "file";
  replace_file(file, std::string("a\0\n", 3));
  CHECK(test::contents_of(file) == std::string("a\0\n", 3));
  {
    const FileDraft first(file);
    const FileDraft second(file);
    CHECK(first.path() != second.path());
    std::ofstream(first.path()) << "first";
    std::ofstream(second.path()) << "second";
    CHECK(test::contents_of(file) == std::string("a\0\n", 3));
    first.commit();
  }
  CHECK(test::contents_of(file) == "first");
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a file that cannot be replaced is told with the reason, and nothing is left", "[sdk]") {
  const test::TemporaryDirectory folder;
  const fs::path absent = folder.path() / "no" / "file";
  CHECK_THROWS_WITH(replace_file(absent, "text"),
                    "cannot write " + absent.string() + ": No such file or directory");
  const fs::path taken = folder.path() / "taken";
  fs::create_directory(taken);
  CHECK_THROWS_WITH(replace_file(taken, "text"), "cannot write " + taken.string() + ": Is a directory");
  CHECK(files_in(folder.path()) == 1);
  // No name of a file makes a terminal do something.
  CHECK_THROWS_WITH(
      replace_file(folder.path() / "a\n\x1b[2J\x7f" / "file", "text"),
      "cannot write " + folder.path().string() + R"(/a\x0a\x1b[2J\x7f/file: No such file or directory)");
}
