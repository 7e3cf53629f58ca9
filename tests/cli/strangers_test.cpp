// Files of other users that could make benchctl execute what they wrote. Other users are imitated by giving
// files to user 65534, which takes root, or by letting everybody write to them.
#include "support/catch.hpp"
#include "support/program.hpp"

#include <unistd.h>

#include <filesystem>

using namespace benchctl::test;
namespace fs = std::filesystem;

namespace {

enum class How : std::uint8_t { belongs_to_another, may_be_written };

/// Puts a file or folder into the hands of another user.
void hand_over(const fs::path& path, How how = How::belongs_to_another) {
  if (how == How::may_be_written)
    return fs::permissions(path, fs::perms::group_write | fs::perms::others_write, fs::perm_options::add);
  if (geteuid() != 0) SKIP("only root can give files away");
  REQUIRE(chown(path.c_str(), 65534, 65534) == 0);
}

const char* words_of(How how) {
  return how == How::may_be_written ? " may be written by every user" : " belongs to user";
}

/// A sandbox with a config of one point.
struct OnePoint : Sandbox {
  OnePoint() { write("c.toml", fake_config(list_of({"steady"}), "n = [8]\nns = [100000]")); }

  /// The files in a folder of it.
  [[nodiscard]] std::vector<fs::path> files_in(const std::string& folder) const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(path() / folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
  }
  /// Is it refused as root, without a word of permission, and said with one?
  void takes_permission(std::vector<std::string> command, const std::string& file) const {
    CHECK_THAT(expect(2, command).err, HasAll({file, " belongs to user", "--allow-outside"}));
    command.emplace_back("--allow-outside");
    CHECK_THAT(expect(0, command).err, HasAll({file, " belongs to user"}));
  }
};

}  // namespace

TEST_CASE_METHOD(OnePoint, "a plugin is refused if its kernels are in the hands of others") {
  const How how = GENERATE(How::belongs_to_another, How::may_be_written);
  const fs::path library = path() / "plugins/libbenchctl_fake.so";
  const fs::path kernel = write("plugins/kernels/fake/steady.k", "steady\n");
  fs::copy_file(test_plugin_directory() / library.filename(), library);
  for (const fs::path& one : {kernel, kernel.parent_path(), library})
    fs::permissions(one, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove);
  set("BENCHCTL_PLUGIN_PATH", library.parent_path().string());
  expect(0, {"run", "c.toml"});
  const std::size_t executed = logged("run steady");
  CHECK(executed > 0);
  // What is known of the library holds, as nothing in it has changed: its kernels are looked at again.
  for (const fs::path& one : {kernel, kernel.parent_path()}) {
    hand_over(one, how);
    const Outcome outcome = call({"run", "c.toml", "--fresh"});
    CHECK(outcome.exit_code == 6);
    CHECK_THAT(outcome.out + outcome.err, ContainsSubstring("plugin refused"));
    CHECK_THAT(exported().dump(), ContainsSubstring(one.string() + words_of(how)));
  }
  CHECK(logged("run steady") == executed);
}

TEST_CASE_METHOD(OnePoint, "a cache is made for one user, and not used when it is in the hands of others") {
  const How how = GENERATE(How::belongs_to_another, How::may_be_written);
  const std::string mask = GENERATE("000", "022", "077");
  CAPTURE(mask);
  const auto run = [&] {
    Outcome outcome =
        call_under({"sh", "-c", "umask " + mask + "; exec \"$@\"", "sh"}, {"run", "c.toml", "--fresh"});
    CHECK(outcome.exit_code == 0);
    return outcome.err;
  };
  CHECK_THAT(run(), !ContainsSubstring("is not used"));
  const auto none = fs::perms::group_all | fs::perms::others_all;
  CHECK((fs::status(path() / "cache").permissions() & none) == fs::perms::none);
  std::vector<fs::path> kept = files_in("cache");
  REQUIRE_FALSE(kept.empty());
  for (const fs::path& file : kept) CHECK((fs::status(file).permissions() & none) == fs::perms::none);
  // One file is enough. What is missing shows whether the cache is used.
  hand_over(kept.front(), how);
  for (std::size_t i = 1; i < kept.size(); ++i) fs::remove(kept[i]);
  CHECK_THAT(run(), HasAll({"the cache " + (path() / "cache").string() + " is not used: ",
                            kept.front().string() + words_of(how), "BENCHCTL_CACHE_DIR"}));
  CHECK(files_in("cache") == std::vector{kept.front()});
}

TEST_CASE_METHOD(OnePoint, "as root, the replay of another user's store takes --allow-outside") {
  if (geteuid() != 0) SKIP("only root can give files away");
  expect(0, {"run", "c.toml"});
  const std::size_t executed = logged("run steady");
  hand_over(path() / "store.db");
  CHECK_THAT(expect(2, {"replay", "0"}).err, ContainsSubstring("store.db belongs to user"));
  CHECK(logged("run steady") == executed);
  takes_permission({"replay", "0"}, "store.db");
  CHECK(logged("run steady") > executed);
  expect(0, {"explain", "0"});  // reading it executes nothing
}

TEST_CASE_METHOD(OnePoint, "as root, the plan of another user takes --allow-outside") {
  if (geteuid() != 0) SKIP("only root can give files away");
  expect(0, {"plan", "c.toml", "--shards", "1", "--output", "results"});
  expect(0, {"run", "results/config/fake.toml", "--shard", "1/1", "--db", "results/shard-1.db"});
  const std::vector<std::string> sent{"submit", "--slurm", "--missing", "--output", "results"};
  for (const char* name : {"results/plan.json", "results/config/fake.toml"}) {
    CAPTURE(name);
    hand_over(path() / name);
    takes_permission({"collect", "results"}, fs::path(name).filename().string());
    takes_permission(sent, fs::path(name).filename().string());
    REQUIRE(chown((path() / name).c_str(), 0, 0) == 0);
  }
}

TEST_CASE_METHOD(OnePoint, "as root, a config or kernel of another user takes --allow-outside") {
  if (geteuid() != 0) SKIP("only root can give files away");
  const std::string text = own_config(fake_kernel("mine", "matmul"),
                                      "workload = 'matmul'\nvariants = ['mine']\nparameters = { n = 8 }\n");
  for (const char* name : {"mine.k", "c.toml"}) {
    CAPTURE(name);
    write("mine.k", "mine\n");
    write("c.toml", text);
    hand_over(path() / name);
    takes_permission({"run", "c.toml"}, name);
    fs::remove(path() / name);
  }
}

TEST_CASE_METHOD(OnePoint, "what a plan of another user permits itself is no permission") {
  if (geteuid() != 0) SKIP("only root can give files away");
  expect(0, {"plan", "c.toml", "--shards", "1", "--output", "results"});
  std::string plan = read("results/plan.json");
  const std::string word = "\"allow_outside\": ";
  REQUIRE(plan.find(word + "false") != std::string::npos);
  plan.replace(plan.find(word + "false"), word.size() + 5, word + "true");
  write("results/plan.json", plan);
  hand_over(path() / "results/plan.json");
  CHECK_THAT(expect(2, {"collect", "results"}).err,
             HasAll({"plan.json belongs to user", "--allow-outside permits it"}));
}
