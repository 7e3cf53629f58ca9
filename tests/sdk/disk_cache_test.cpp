// Files that the engine keeps from one run to the next.
#include <benchctl/disk_cache.hpp>

#include "support/catch.hpp"
#include "support/paths.hpp"

#include <sys/stat.h>

#include <chrono>
#include <fstream>

using namespace benchctl;
namespace fs = std::filesystem;

TEST_CASE("files are kept by what they were made from, whole, and the oldest go") {
  const test::TemporaryDirectory folder;
  const fs::path kept = folder.path() / "kept";
  const fs::path file = folder.path() / "file";
  const auto write = [&](char letter, std::size_t bytes) {
    folder.write("file", std::string(bytes, letter));
  };
  DiskCache cache(kept, "program", 1000);
  CHECK_FALSE(cache.fetch("a", file));
  write('a', 300);
  cache.keep("a", file);
  fs::remove(file);
  CHECK_FALSE(cache.fetch("b", file));
  REQUIRE(cache.fetch("a", file));
  CHECK(fs::file_size(file) == 300);
  // What replaces the file leaves what is kept alone.
  fs::remove(file);
  write('b', 400);
  cache.keep("b", file);
  REQUIRE(cache.fetch("a", file));
  CHECK(fs::file_size(file) == 300);
  const auto first_of = [&](char letter) {
    for (const fs::path& entry : test::files_under(kept)) {
      std::string text(1, '\0');
      std::ifstream(entry).read(text.data(), 1);
      if (text[0] == letter) return entry;
    }
    return fs::path();
  };
  // `b` was not asked for since long before `a`.
  fs::last_write_time(first_of('b'), fs::file_time_type::clock::now() - std::chrono::hours(2));
  fs::remove(file);
  write('c', 350);
  cache.keep("c", file);
  CHECK_FALSE(cache.fetch("b", folder.path() / "other"));
  CHECK(cache.fetch("a", folder.path() / "other"));
  // Too large to be kept.
  fs::remove(file);
  write('d', 501);
  cache.keep("d", file);
  CHECK_FALSE(cache.fetch("d", folder.path() / "other"));
  // Files of others stay, whatever room is wanted.
  std::ofstream(kept / "somebody_else's").write(std::string(2000, 'x').data(), 2000);
  fs::remove(file);
  write('e', 450);
  cache.keep("e", file);
  CHECK(fs::exists(kept / "somebody_else's"));
  CHECK(cache.fetch("e", folder.path() / "other"));
  cache.forget("e");
  // Damaged.
  fs::resize_file(first_of('a'), 299);
  CHECK_FALSE(cache.fetch("a", folder.path() / "other"));
  CHECK(first_of('a').empty());
  cache.forget("c");
  CHECK_FALSE(cache.fetch("c", folder.path() / "other"));
  // No folder can be made there: nothing is kept.
  DiskCache nowhere(file / "below");
  nowhere.keep("a", file);
  nowhere.write("a", "text");
  CHECK_FALSE(nowhere.fetch("a", folder.path() / "other"));
}

TEST_CASE("a cache is made for this user alone, whatever the umask is") {
  const test::TemporaryDirectory folder;
  const fs::path outer = folder.path() / "outer";
  const mode_t before = umask(0);
  DiskCache cache(outer / "kept");
  cache.write("a", "text");
  cache.keep("b", folder.write("file", "contents"));
  umask(before);
  for (const fs::path& one : {outer, outer / "kept"})
    CHECK(fs::status(one).permissions() == fs::perms(0700));
  const std::vector<fs::path> files = test::files_under(outer / "kept");
  for (const fs::path& file : files) {
    CHECK(fs::status(file).permissions() == fs::perms(0600));
    CHECK(fs::status(file.parent_path()).permissions() == fs::perms(0700));
  }
  CHECK(files.size() == 2);
}

TEST_CASE("a text is kept by its key and by who made it; a damaged one is not returned") {
  const test::TemporaryDirectory folder;
  const fs::path kept = folder.path() / "kept";
  const std::string text("a\0b\xff", 4);
  DiskCache cache(kept, "one program");
  CHECK_FALSE(cache.read("key"));
  cache.write("key", text);
  cache.write("empty", "");
  CHECK(cache.read("key") == text);
  CHECK(cache.read("empty") == "");
  CHECK(DiskCache(kept, "one program").read("key") == text);
  CHECK_FALSE(DiskCache(kept, "another program").read("key"));
  // A file that somebody is writing is not taken for a damaged one.
  fs::path file;
  for (const fs::path& one : test::files_under(kept)) {
    if (fs::file_size(one) == text.size()) file = one;
  }
  fs::path draft = file;
  draft += ".1.new";
  std::ofstream(draft) << "half";
  std::ofstream(file) << "a\n";
  CHECK_FALSE(cache.read("key"));
  CHECK_FALSE(fs::exists(file));
  CHECK(fs::exists(draft));
  cache.write("key", "new");
  CHECK(cache.read("key") == "new");
  cache.forget("key");
  CHECK_FALSE(cache.read("key"));
  // Without a folder nothing is kept.
  DiskCache nothing{fs::path()};
  nothing.write("key", text);
  CHECK_FALSE(nothing.read("key"));
}
