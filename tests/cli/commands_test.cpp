// Commands of a shell in tests/golden/expected/*_cases.txt, with what they print. `new` begins a case in an
// empty folder; commands.sh beside the texts has the functions that they call.
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/program.hpp"

#include <functional>
#include <optional>
#include <regex>

using namespace benchctl::test;

namespace {

/// Keeps the folder of a case from one text to the next.
class Shell {
 public:
  std::vector<std::string> operator()(const std::string& text) {
    const std::string begin = "new\n";
    const bool begins = text.starts_with(begin);
    if (begins) {
      folder_.emplace();
      folder_->set("BASH_ENV", (tree_root() / "libexec/benchctl/tests/golden/commands.sh").string());
    }
    REQUIRE(folder_);
    const std::string commands = text.substr(begins ? begin.size() : 0);
    const Outcome outcome =
        folder_->call_under({"bash", "-c", "program=$1; exec 2>&1\n" + commands, "bash"}, {});
    std::string out = std::regex_replace(outcome.out, std::regex(folder_->path().string()), ".");
    out = std::regex_replace(out, std::regex(R"(\d{4}-\d\d-\d\dT[0-9:.]+Z)"), "TIME");
    out = std::regex_replace(out, std::regex(tree_root().string()), "TREE");
    out = std::regex_replace(out, std::regex("benchctl " BENCHCTL_VERSION), "benchctl VERSION");
    if (out.empty()) return {};
    return {out.substr(0, out.size() - (out.back() == '\n' ? 1 : 0))};
  }

 private:
  std::optional<Sandbox> folder_;
};

void check_commands(const std::string& name) {
  Shell shell;
  check_cases(name, std::ref(shell));
}

}  // namespace

TEST_CASE("shell: stored runs are named, compared, merged, pruned and deleted") {
  check_commands("stored_runs_cases.txt");
}

TEST_CASE("shell: what the command line chooses, sets and gets wrong") {
  check_commands("command_line_cases.txt");
}

TEST_CASE("shell: configs are found by name, listed, and checked") { check_commands("configs_cases.txt"); }

TEST_CASE("shell: runs measure, verify, store and show") { check_commands("run_cases.txt"); }

TEST_CASE("shell: whatever a variant does costs its own point") { check_commands("fault_cases.txt"); }

TEST_CASE("shell: devices, seeds and locks") { check_commands("device_cases.txt"); }

TEST_CASE("shell: kernels and workloads of configs are like those of plugins") {
  check_commands("own_kernels_cases.txt");
}

TEST_CASE("shell: programs of a config make data and judge") { check_commands("data_programs_cases.txt"); }

TEST_CASE("shell: stored points are explained and replayed") { check_commands("replay_cases.txt"); }

TEST_CASE("shell: runs stream lines of JSON") { check_commands("stream_cases.txt"); }

TEST_CASE("shell: readings are observed") { check_commands("readings_cases.txt"); }
