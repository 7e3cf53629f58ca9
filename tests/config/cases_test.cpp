// Texts in tests/golden/expected/config_cases.txt: what is wrong with them, or what they become.
#include "config/declared.hpp"
#include "config/kernel_tables.hpp"
#include "config/tuning_file.hpp"
#include "errors.hpp"
#include "model/json.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/json_lines.hpp"
#include "support/paths.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <functional>
#include <map>
#include <regex>
#include <sstream>

using namespace benchctl;
using namespace benchctl::test;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> axis_lines(const std::vector<Axis>& axes) {
  std::vector<std::string> lines;
  for (const Axis& axis : axes) {
    std::vector<std::string> values;
    for (const Value& value : axis.values) {
      if (values.size() < 10 || &value == &axis.values.back()) values.push_back(written(value));
    }
    lines.push_back(
        fmt::format("{}: {} values: {}", axis.name, axis.values.size(), fmt::join(values, ", ")));
  }
  if (lines.empty()) lines.emplace_back("fine");
  return lines;
}

void append(std::vector<std::string>& lines, const VariantInfo& variant) {
  VariantInfo usual;
  usual.kernel = KernelSpec{};
  usual.kernel->launches.resize(2);
  for (const std::string& line : differences(to_json(variant), to_json(usual))) lines.push_back(line);
}

std::vector<std::string> axes_of(const std::string& text) {
  return axis_lines(parse_config(text, "x.toml").sweeps.at(0).axes);
}

/// The folder of configs with kernels; the one above it has nothing else.
fs::path sources() {
  static const TemporaryDirectory folder;
  fs::create_directories(folder.path() / "here/sub");
  folder.write("here/sub/part.cuh", "// part\n");
  folder.write("here/mine.cu", "#include \"sub/part.cuh\"\nkernel\n");
  folder.write("here/local.cu", "kernel(local float* part, local int* rest, float* A)\n");
  folder.write("here/s.cu", "kernel\n");
  return folder.path() / "here";
}

std::vector<std::string> kernels_of(const std::string& text) {
  std::vector<std::string> lines;
  for (const KernelEntry& kernel : parse_config(text, "x.toml", {sources(), false}).kernels) {
    append(lines, kernel.variant);
    for (const Word& open : kernel.open_tunables) lines.push_back("open: " + open.text);
    for (const SourceFile& file : kernel.files) lines.push_back("file: " + file.name);
  }
  return lines;
}

/// The problem with the parameters' defaults.
std::vector<std::string> problem_of(const std::string& text) {
  const Config config = parse_config(text, "x.toml", {sources(), false});
  const Workload& workload = *config.workloads.find("own_scale");
  std::vector<std::string> lines;
  try {
    for (const BufferSpec& buffer : workload.problem(complete_parameters(workload, {}), "").buffers)
      lines.push_back(fmt::format("{}: {} {}", buffer.name, buffer.count, to_string(buffer.type)));
  } catch (const ProblemError& error) {
    lines.emplace_back(error.what());
  }
  return lines;
}

std::vector<std::string> tuning_of(const std::string& text) {
  return lines_of(to_toml(parse_tuning(text, "x.toml")));
}

/// Lines `== FILE` begin files.
std::vector<std::string> tables_of(const std::string& text) {
  const TemporaryDirectory folder;
  fs::create_directory(folder.path() / "mine");
  fs::create_directory(folder.path() / "shared");
  folder.write("mine/copy_plain.x", "");
  folder.write("mine/copy_wide.x", "");
  std::map<std::string, std::string> files;
  std::string name = "mine/copy.toml";
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("== ")) name = line.substr(3);
    if (!line.starts_with("== ")) files[name] += line + '\n';
  }
  for (const auto& [file, content] : files) folder.write(file, content);
  const KernelTables tables = read_kernel_tables(folder.path() / "mine", "mine");
  std::vector<std::string> lines{fmt::format("{} files", tables.files.size())};
  for (const VariantInfo& variant : tables.variants) append(lines, variant);
  return lines;
}

/// Lines that begin with "--set " are assignments.
std::vector<std::string> set_of(const std::string& text) {
  std::string config_text;
  Lines assignments;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("--set ")) {
      assignments.push_back(line.substr(6));
    } else {
      config_text += line + '\n';
    }
  }
  Config config = parse_config(config_text, "x.toml");
  for (const std::string& assignment : assignments) apply_set(config, assignment);
  std::vector<std::string> lines = config.sets;
  for (const std::string& line : differences(to_json(config.measure), to_json(MeasureSettings{})))
    lines.push_back(line);
  const auto add = [&](const std::string& name, const std::vector<Axis>& axes, const auto& measure) {
    lines.push_back(fmt::format("{}: {}", name, fmt::join(axis_lines(axes), "; ")));
    for (const auto& setting : measure) lines.push_back(name + " measures " + setting.key);
  };
  for (const Sweep& sweep : config.sweeps) {
    add(sweep.name, sweep.axes, sweep.measure);
    for (const Override& one : sweep.overrides) add("override of " + sweep.name, one.axes, one.measure);
  }
  return lines;
}

const std::string kernel_table =
    "[[kernel]]\nname = \"mine\"\nworkload = \"matmul\"\nbackend = \"gpu\"\nsource = \"mine.cu\"\n"
    "entry = \"go\"\nblock = [\"TILE\", \"TILE\"]\ngrid = [\"ceil_div(n, TILE)\"]\ndefines = [\"TILE\"]\n";

/// What surrounds a case that begins with this line, and what is made of the whole.
struct Frame {
  std::string before;
  std::string after;
  std::function<std::vector<std::string>(const std::string&)> read = axes_of;
};
const std::map<std::string, Frame> frames{
    {"@config", {}},
    {"@measure", {"[experiment]\nname='x'\n[measure]\n", "[[sweep]]\nworkload='w'\n"}},
    {"@reference", {"[experiment]\nname = \"x\"\n[[sweep]]\nworkload = \"matmul\"\n[[published]]\n", ""}},
    {"@compare", {sweep_head + "[compare]\n", ""}},
    {"@kernel",
     {"[experiment]\nname = \"x\"\n[[sweep]]\nworkload = \"matmul\"\n" + kernel_table, "", kernels_of}},
    {"@workload", {declared::scale + declared::by_kernel, declared::tail, problem_of}},
    {"@tuning", {"", "", tuning_of}},
    {"@class",
     {"[tuning]\nworkload = 'w'\nbackend = 'b'\narchitecture = 'a'\n[[class]]\nchoice = 'c'\n"
      "problem = { n = 1 }\n",
      "", tuning_of}},
    {"@tables", {"", "", tables_of}},
    {"@table",
     {"[common]\nworkload = 'copy'\nsource = 'copy_plain.x'\nblock = 8\ngrid = 1\n"
      "[[kernel]]\nname = 'plain'\n",
      "", tables_of}},
    {"@set",
     {"[experiment]\nname = 'x'\n[[sweep]]\nname = 'big'\nworkload = 'w'\n"
      "parameters = { n = [1, 2], m = [3, 4], tile = [8] }\nmeasure = { max_seconds = 9 }\n"
      "[[sweep.override]]\nmatch = { backend = 'a' }\nparameters = { n = [7, 8], extra = [1] }\n"
      "measure = { max_seconds = 8, seed = 4 }\n[[sweep]]\nname = 'small'\nworkload = 'w'\n"
      "zip = [['n', 'k']]\nparameters = { n = [5, 6], k = [1, 2], dtype = ['f32'] }\n",
      "", set_of}},
    {"@set_defaults",
     {"[experiment]\nname = 'x'\n[[sweep]]\nname = 'product'\nworkload = 'matmul'\n"
      "parameters = { n = 64 }\n[[sweep]]\nname = 'sum'\nworkload = 'reduce'\n",
      "", set_of}},
    {"", {sweep_head, ""}}};

/// A line `WHAT => BY` replaces what the frame has.
std::vector<std::string> answer(const std::string& text) {
  const bool framed = text.front() == '@';
  Frame frame = frames.at(framed ? text.substr(0, text.find('\n')) : "");
  std::string own;
  for (const std::string& line : lines_of(framed ? text.substr(text.find('\n') + 1) : text)) {
    const std::size_t arrow = line.find(" => ");
    if (arrow == std::string::npos) {
      own += line + '\n';
      continue;
    }
    const std::size_t place = frame.before.rfind(line.substr(0, arrow));
    REQUIRE(place != std::string::npos);
    frame.before.replace(place, arrow, line.substr(arrow + 4));
  }
  try {
    return frame.read(frame.before + own + frame.after);
  } catch (const ConfigErrors& errors) {
    static const std::regex place(R"(^(x\.toml|--set):|[^' ]*/benchctl-test-\w+/(here/)?)");
    std::vector<std::string> lines;
    for (const Diagnostic& error : errors.diagnostics())
      lines.push_back(std::regex_replace(lines_of(to_text(error)).at(0), place, ""));
    return lines;
  }
}

}  // namespace

TEST_CASE("what is wrong with a config is told with its place, and what is right becomes what it says") {
  check_cases("config_cases.txt", answer);
}

TEST_CASE("a folder that is not there has no tables of kernels") {
  CHECK(read_kernel_tables("/nowhere/at/all", "mine").variants.empty());
}

TEST_CASE("a refused assignment changes nothing, and what one brought is later reported there") {
  Config config = parse_config(frames.at("@set").before, "x.toml");
  CHECK_THROWS_AS(apply_set(config, "n=[1]"), ConfigErrors);
  CHECK(config.sets.empty());
  CHECK(config.sweeps[0].axes[0].values == integers({1, 2}));
  apply_set(config, "big.tile=[8]");
  apply_set(config, "small.dtype=[f32,f23]");
  Reporter reporter = config.reporter();
  CHECK(to_text(reporter.error(config.sweeps[1].axes[2].value_positions[1], "no")) ==
        "--set:1:20: error: no\n  small.dtype=[\"f32\",\"f23\"]\n                     ^");
}
