// One bad library costs its own rows and a sentence: a plugin that does harm, beside one that does not.
#include "support/catch.hpp"
#include "support/program.hpp"

#include <sys/stat.h>

#include <fstream>

using namespace benchctl::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// A sandbox that knows the fake plugin and another one.
class Beside : public Sandbox {
 public:
  explicit Beside(std::string name) : name_(std::move(name)) {
    fs::create_directory(folder());
    // One cache for all: the good plugins are described once.
    static const TemporaryDirectory cache;
    set("BENCHCTL_CACHE_DIR", cache.path().string());
    set("BENCHCTL_PLUGIN_PATH", test_plugin_directory().string() + ":" + folder().string());
  }
  [[nodiscard]] fs::path folder() const { return path() / "plugins"; }
  [[nodiscard]] fs::path library() const { return folder() / ("libbenchctl_" + name_ + ".so"); }
  /// The hostile plugin under that name, which makes it do so.
  void make_hostile() const {
    fs::copy(test_plugin_directory().parent_path() / "hostile_plugins/libbenchctl_hostile.so", library());
    std::ofstream(library(), std::ios::app)
        << name_;  // a file of other contents: nothing known of it holds
  }
  [[nodiscard]] Outcome run(const std::string& others = "\"fake\", ") const {
    std::string text = fake_config("variants = [\"steady\"]", "n = [8, 9]\nns = [1000000]", "samples = 3");
    text.replace(text.find("[\"fake\"]"), 8, "[" + others + '"' + name_ + "\"]");
    return call({"run", write("c.toml", text).string(), "--timeout", "60"});
  }

 private:
  std::string name_;
};

/// The rows of a backend, by status: "ok ok", with the reason of the last.
struct Rows {
  Rows(const json& document, const std::string& backend) {
    for (const json& row : document.at("rows")) {
      if (row.at("backend") != backend) continue;
      statuses += (statuses.empty() ? "" : " ") + row.at("status").get<std::string>();
      reason = row.at("reason").get<std::string>();
    }
  }
  std::string statuses;
  std::string reason;
};

/// Runs both; whatever the other does, the good one's points come out and the store can be read.
Rows run_beside(const Beside& sandbox, const std::string& name) {
  const Outcome outcome = sandbox.run();
  INFO(name << ": exit code " << outcome.exit_code << "\n" << outcome.out << outcome.err);
  CHECK(outcome.exit_code <= 1);
  const json document = sandbox.exported();
  CHECK(Rows(document, "fake").statuses == "ok ok");
  Rows rows(document, name);
  CHECK((outcome.exit_code == 1) == (rows.statuses.find("ok") == std::string::npos &&
                                     rows.statuses != "skipped" && rows.statuses != "skipped skipped"));
  sandbox.expect(0, {"show", "1"});
  return rows;
}

Rows run_hostile(const std::string& name) {
  const Beside sandbox(name);
  sandbox.make_hostile();
  return run_beside(sandbox, name);
}

/// What becomes of the rows of a hostile plugin, and what their reason has in it.
void check_hostile(const std::string& name, const std::string& statuses, const std::string& reason) {
  const Rows rows = run_hostile(name);
  CAPTURE(name, rows.reason);
  CHECK(rows.statuses == statuses);
  CHECK_THAT(rows.reason, ContainsSubstring(reason));
}

}  // namespace

TEST_CASE("a library that does harm when it is described is refused, and costs nothing else") {
  for (const char* place :
       {"constructor", "factory", "info", "backend", "observer", "variants", "readings"}) {
    for (const char* what : {"crash", "exit", "throw", "foreign"})
      check_hostile(std::string(place) + "_" + what, "skipped", "plugin refused");
  }
}

TEST_CASE("a backend that does harm later costs its own points") {
  for (const char* place : {"devices", "open", "problem", "prepare", "resources", "sample"}) {
    for (const char* what : {"crash", "exit", "throw", "foreign"}) {
      const bool ends = std::string(what) == "crash" || std::string(what) == "exit";
      check_hostile(std::string(place) + "_" + what, ends ? "crashed crashed" : "launch_error launch_error",
                    "");
    }
  }
}

TEST_CASE("an observer that does harm observes nobody else's devices") {
  for (const char* what : {"crash", "exit", "throw", "foreign"})
    static_cast<void>(run_hostile(std::string("watch_") + what));
}

TEST_CASE("a library that does harm and has nobody beside it costs its rows, and the exit code tells") {
  for (const auto& [name, exit_code] : std::map<std::string, int>{{"constructor_crash", 6},
                                                                  {"variants_exit", 6},
                                                                  {"devices_crash", 1},
                                                                  {"open_exit", 1},
                                                                  {"sample_nan", 1},
                                                                  {"watch_crash", 1},
                                                                  {"devices_latin1", 0}}) {
    Beside sandbox(name);
    sandbox.set("BENCHCTL_PLUGIN_PATH", sandbox.folder().string());
    sandbox.make_hostile();
    const Outcome outcome = sandbox.run("");
    CAPTURE(name, outcome.out, outcome.err);
    CHECK(outcome.exit_code == exit_code);
    CHECK((Rows(sandbox.exported(), name).reason.empty()) == (exit_code == 0));
    sandbox.expect(0, {"show", "1"});
  }
}

TEST_CASE("times that are none are a failure of their point") {
  for (const char* name : {"sample_nan", "sample_infinite", "sample_negative", "sample_zero",
                           "sample_denormal", "sample_none", "sample_many", "sample_unbatched"})
    check_hostile(name, "launch_error launch_error", "sampl");
}

TEST_CASE("odd texts and figures are mended or left out, and the points come out") {
  for (const char* name :
       {"resources_nan", "notes_latin1", "reading_nan", "devices_twice", "devices_latin1", "info_latin1"}) {
    const Beside sandbox(name);
    sandbox.make_hostile();
    const Rows rows = run_beside(sandbox, name);
    CAPTURE(name, rows.reason);
    CHECK(rows.statuses == "ok ok");
    sandbox.expect(0, {"list", "--devices"});
    CHECK(json::accept(sandbox.call({"list", "--devices", "--format", "json"}).out));
  }
}

TEST_CASE("what a plugin starts ends with the run") {
  for (const char* name : {"leaves_child", "leaves_daemon"}) {
    const Beside sandbox(name);
    sandbox.make_hostile();
    CHECK(run_beside(sandbox, name).statuses == "ok ok");
    // Its processes are copies of the worker, whose command line names the library.
    const std::string pattern =
        "[" + sandbox.library().string().substr(0, 1) + "]" + sandbox.library().string().substr(1);
    const Outcome left = sandbox.call_under({"sh", "-c", "pgrep -f '" + pattern + "'"}, {});
    CAPTURE(name, left.out);
    CHECK(left.out.empty());
  }
}

TEST_CASE("a worker can say as much as it likes; its last words are in the reason") {
  const std::string reason = run_hostile("sample_talk").reason;
  CHECK_THAT(reason, ContainsSubstring("exit code 9") && EndsWith("that was all"));
  CHECK(reason.size() < 2500);
}

TEST_CASE("a device that nobody can name, or whose clock is no clock, is left out with a sentence") {
  for (const char* name : {"devices_unnamed", "devices_spaced", "devices_timer"})
    check_hostile(name, "skipped skipped", "is left out");
  CHECK_THAT(run_hostile("info_named").reason, ContainsSubstring("not made of lower-case letters"));
}

TEST_CASE("a file that is no library is refused: cut off, a pipe, a folder") {
  const auto refused = [](const std::string& name, void (*make)(const fs::path& library),
                          const char* reason) {
    const Beside sandbox(name);
    make(sandbox.library());
    CHECK_THAT(run_beside(sandbox, name).reason, ContainsSubstring(reason));
  };
  refused(
      "cut",
      [](const fs::path& library) {
        fs::copy(test_plugin_directory() / "libbenchctl_fake.so", library);
        fs::resize_file(library, fs::file_size(library) / 3);
      },
      "plugin refused");
  refused(
      "pipe", [](const fs::path& library) { REQUIRE(mkfifo(library.c_str(), 0600) == 0); },
      "not a regular file");
  refused(
      "folder", [](const fs::path& library) { fs::create_directory(library); }, "not a regular file");
}

TEST_CASE(
    "what a plugin said of itself is kept by its contents, and asked for again when that is damaged") {
  Beside sandbox("factory_none");
  sandbox.set("BENCHCTL_CACHE_DIR", (sandbox.path() / "cache").string());
  sandbox.make_hostile();
  const auto kept = [&] { return files_under(sandbox.path() / "cache/plugins"); };
  const auto list = [&] { return sandbox.call({"list", "--format", "json"}).out; };
  const std::string first = list();
  CHECK_THAT(first, ContainsSubstring("factory_none"));
  const std::size_t plugins = kept().size();
  CHECK(plugins >= 2);
  CHECK(list() == first);
  for (const fs::path& file : kept()) std::ofstream(file) << "damaged";
  CHECK(list() == first);
  CHECK(kept().size() == plugins);
  std::ofstream(sandbox.library(), std::ios::app) << "other contents";
  CHECK(list() == first);
  CHECK(kept().size() == plugins + 1);
}
