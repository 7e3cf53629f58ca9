// Folders whose names hold line ends, escapes, quotes and commands: what is printed shows them, and nothing
// obeys them.
#include "support/catch.hpp"
#include "support/program.hpp"

#include <filesystem>

using namespace benchctl::test;
namespace fs = std::filesystem;

namespace {

/// What folders are called.
const std::string odd_name = "odd\nname\tand\x1b[31mred\u202e'q\"\\$(touch x) z";
const std::string shown_name = "odd\\x0aname\\x09and\\x1b[31mred\\u202e'q\"\\$(touch x) z";
const std::string odd_kernel =
    "[[kernel]]\nname = 'mine'\nworkload = 'matmul'\nbackend = 'fake'\nsource = 'mine.k'\nentry = 'go'\n"
    "block = 'TILE'\ngrid = 1\ndefines = ['TILE']\n[kernel.tunables]\nTILE = 1\nns = 100000\nnoise = 0.0\n"
    "noise_seed = 1\ncorrelation = 0.0\ntail = 0.0\ndrift = 0.0\nprocess = 0.0\nfault_verb = 'run'\n";

/// A sandbox whose config, kernel, plugin and store are in such a folder.
struct OddNames : Sandbox {
  explicit OddNames(std::string name = odd_name) : name_(std::move(name)) {
    fs::create_directories(path() / name_ / "plugins");
    write(name_ + "/mine.k", "fine\n");
    write(name_ + "/c.toml",
          fake_config(list_of({"mine", "steady"}), "n = [8]\nns = [100000]") + odd_kernel);
    const fs::path library = path() / name_ / "plugins/libbenchctl_fake.so";
    fs::copy_file(test_plugin_directory() / library.filename(), library);
    for (const fs::path& one : {library, library.parent_path(), library.parent_path().parent_path()})
      fs::permissions(one, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove);
    set("BENCHCTL_PLUGIN_PATH", "");
    set("BENCHCTL_DB", odd("store.db"));
    set("BENCHCTL_CACHE_DIR", odd("cache"));
  }

  /// A file of the folder.
  [[nodiscard]] std::string odd(const std::string& name) const { return (path() / name_ / name).string(); }
  /// What a command prints, of which a terminal obeys nothing.
  std::string printed(int exit_code, std::vector<std::string> command) const {
    command.insert(command.begin(), {"--plugin-path", odd("plugins")});
    const Outcome outcome = expect(exit_code, command);
    std::string text = outcome.out + outcome.err;
    CAPTURE(command, text);
    for (const char* part : {"odd\n", "name\t", "\x1b", "\u202e"})
      CHECK(text.find(part) == std::string::npos);
    CHECK_FALSE(fs::exists(path() / "x"));
    return text;
  }

 private:
  std::string name_;
};

}  // namespace

TEST_CASE_METHOD(OddNames, "odd names of folders work, and are shown in one line") {
  CHECK_THAT(printed(0, {"check", odd("c.toml")}), ContainsSubstring(shown_name + "/c.toml: fine"));
  CHECK_THAT(printed(0, {"run", odd("c.toml")}), ContainsSubstring(shown_name + "/store.db as run 1"));
  printed(0, {"run", odd("c.toml"), "--fresh"});
  for (const char* command : {"show", "report", "runs", "history"}) printed(0, {command});
  printed(0, {"explain", "1:0"});
  printed(0, {"compare", "1", "2"});
  for (const char* format : {"csv", "json"}) printed(0, {"export", "--format", format});
  printed(0, {"export", "--files", odd("files")});
  CHECK_THAT(printed(0, {"list"}), ContainsSubstring(shown_name + "/plugins/libbenchctl_fake.so"));
  CHECK_THAT(printed(0, {"tune", odd("c.toml"), "--output", odd("tables")}),
             ContainsSubstring(shown_name + "/tables/fake/"));
  CHECK_THAT(printed(0, {"plugin", "new", "mine", "--kind", "jit", "-o", odd("mine")}),
             ContainsSubstring(shown_name + "/mine/plugin.cpp\n"));
  const std::string results = odd("results");
  const std::string told = printed(0, {"plan", odd("c.toml"), "--shards", "1", "--output", results});
  // Bash reads the same folder in what is told.
  const std::string word = told.substr(told.rfind("collect ") + 8);
  CHECK(call_under({"bash", "-c", "printf %s " + word.substr(0, word.find('\n'))}, {}).out == results);
  CHECK_THAT(printed(6, {"collect", results}), ContainsSubstring(shown_name + "/results/merged.db"));
}

TEST_CASE_METHOD(OddNames, "odd names in errors are shown in one line") {
  printed(0, {"run", odd("c.toml")});
  const std::string none = odd("none");
  const std::string folder = odd("plugins");
  printed(0, {"plan", odd("c.toml"), "--shards", "1", "--output", odd("results")});
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"check", none + ".toml"},
           {"run", none + ".toml"},
           {"run", odd("mine.k")},
           {"run", odd("c.toml"), "--db", folder},
           {"run", odd("c.toml"), "--db", odd("mine.k")},
           {"run", odd("c.toml"), "--db", odd("none/store.db")},
           {"runs", "--db", none},
           {"show", "7"},
           {"show", none + ".db:1"},
           {"explain", "7:0"},
           {"compare", none + ".db", "1"},
           {"export", "--output", odd("none/run.csv")},
           {"tune", odd("c.toml"), "--output", odd("mine.k")},
           {"plan", odd("c.toml"), "--shards", "1", "--output", odd("results")},
           {"collect", none},
           {"submit", "--slurm", "--missing", "--output", none},
           {"submit", "--slurm", odd("c.toml"), "--output", odd("sent"), "--print"},
           {"list", "--devices", "--expect", none},
           {"plugin", "check", none + ".so"},
           {"list", "--plugin-path", none}}) {
    CHECK_THAT(printed(2, command), ContainsSubstring("odd\\x0aname"));
  }
}

TEST_CASE("plugins are checked and sides compared in folders with odd names") {
  const std::string name = GENERATE(as<std::string>(), odd_name, "-dash", "--set=n", "two  spaces ",
                                    "{0}%s;*?[a]#~", "\u00fc\u65e5\u672c");
  CAPTURE(name);
  const OddNames folder(name);
  folder.write(name + "/new.k", "fine, too\n");
  fs::copy(folder.odd("plugins"), folder.odd("new"), fs::copy_options::recursive);
  // As somebody in the sandbox types them, and in full.
  const std::string config = name + "/c.toml";
  for (const std::vector<std::string>& sides : std::vector<std::vector<std::string>>{
           {"--kernel-file", folder.odd("mine.k"), folder.odd("new.k")},
           {"--plugin", folder.odd("plugins"), folder.odd("new")},
           {"--verdict", folder.odd("v.json"), "--junit=" + name + "/j.xml"}}) {
    std::vector<std::string> command{"ab"};
    command.insert(command.end(), sides.begin(), sides.end());
    command.insert(command.end(), {"--quiet", "--max-pairs", "2", "--", config});
    if (sides.front() == "--verdict") command.push_back(folder.odd("c.toml"));
    folder.printed(0, command);
  }
  CHECK(fs::exists(folder.odd("v.json")));
  CHECK(fs::exists(folder.odd("j.xml")));
  folder.printed(0, {"plugin", "check", "--only", "loading", "--", name + "/new/libbenchctl_fake.so"});
  folder.printed(0, {"plugin", "check", "--only", "loading", "fake"});
  folder.printed(0, {"run", "--quiet", "--db=" + name + "/own.db", "--", config});
  folder.printed(0, {"replay", "--db", folder.odd("own.db"), "1:0"});
}
