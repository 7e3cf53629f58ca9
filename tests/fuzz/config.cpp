#include "config/config.hpp"
#include "config/gate.hpp"
#include "config/tuning_file.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/expand.hpp"
#include "sweep/search.hpp"
#include "sweep/validate.hpp"
#include "workloads/workload.hpp"

#include "support/paths.hpp"

#include "fuzz/target.hpp"

#include <algorithm>

namespace benchctl::fuzz {

namespace {

/// More points take longer than they can tell anything new.
constexpr std::size_t most_combinations = 200;

/// Variants of every workload of the program.
Catalogue make_catalogue() {
  Catalogue tables;
  for (const char* name : {"cuda", "opencl"}) {
    BackendEntry backend;
    backend.name = name;
    for (const Workload* workload : Workloads::built_in().all()) {
      for (const char* variant_name : {"plain", "tiled", "vectorized"}) {
        VariantInfo variant;
        variant.workload = workload->name();
        variant.name = variant_name;
        variant.layouts = {workload->layouts().begin(), workload->layouts().end()};
        if (variant.name == "tiled") {
          variant.tunables = {{"tile", std::int64_t{16}, "", {"tile >= 1", "tile <= 32"}}};
        } else if (variant.name == "vectorized") {
          variant.tunables = {{"width", std::int64_t{4}, "", {"width % 2 == 0"}},
                              {"store", std::string("cached"), "", {}, {std::string("streaming")}}};
        }
        backend.variants.push_back(std::move(variant));
      }
    }
    tables.backends.push_back(std::move(backend));
  }
  tables.absent.push_back({"cpu_avx", "it was left out"});
  return tables;
}

LaneTable make_lanes() {
  LaneTable table;
  for (const char* name : {"cuda", "opencl"}) {
    Lane lane;
    lane.backend = name;
    lane.device.id = "0";
    lane.device.type = DeviceType::gpu;
    lane.device.fp64 = true;
    lane.device.limits.memory_bytes = std::uint64_t{1} << 34;
    table.push_back({name, {std::move(lane)}, {}});
  }
  return table;
}

/// The config's folder, with a kernel in it.
const FileRules& rules() {
  static const test::TemporaryDirectory folder;
  static const FileRules inside{folder.path(), false};
  static const auto kernel = folder.write("k.cl", "#include \"k.h\"\nkernel void k() {}\n");
  static const auto header = folder.write("k.h", "#define K\n");
  static const auto data = folder.write("data.bin", std::string(64, '\1'));
  return inside;
}

/// Columns that the line has, one behind its end included; 0 for a line that is not there.
std::size_t columns_of(const std::string& text, std::uint32_t line) {
  std::size_t begin = 0;
  for (std::uint32_t i = 1; i < line; ++i) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos) return 0;
    ++begin;
  }
  return std::min(text.find('\n', begin), text.size()) - begin + 1;
}

/// `texts`: the config, then the `--set` arguments.
void require_sound(const std::vector<Diagnostic>& findings, const std::vector<std::string>& texts) {
  require(findings.size() <= 2 * max_diagnostics + 2, "more findings than are kept");
  for (const Diagnostic& finding : findings) {
    require_utf8(to_text(finding), "a finding");
    require(!finding.message.empty(), "a finding without words");
    const Position& place = finding.position;
    require(place.source < texts.size(), "a finding in a text that is not there");
    if (place.line == 0) continue;
    // Of `--set`, with the quotes that it adds.
    const std::size_t columns = columns_of(texts[place.source], place.line) * (place.source == 0 ? 1 : 3);
    require(place.column >= 1 && place.column <= columns,
            "a finding outside of the text, at " + std::to_string(place.line) + ":" +
                std::to_string(place.column) + ": " + finding.message);
  }
}

/// How many points a config asks for, at most.
std::size_t combinations(const Config& config) {
  std::size_t all = 0;
  const auto times = [](std::size_t count, const std::vector<Axis>& axes) {
    for (const Axis& axis : axes) count *= std::min<std::size_t>(axis.values.size(), 1000) + 1;
    return std::min<std::size_t>(count, most_combinations + 1);
  };
  for (const Sweep& sweep : config.sweeps) {
    std::size_t count = times(1, sweep.axes);
    for (const Override& override : sweep.overrides) count = times(count, override.axes);
    all += count;
  }
  return all;
}

void read_gate(const std::string& text) {
  try {
    static_cast<void>(parse_gate(text, "fuzz.toml"));
  } catch (const ConfigErrors& errors) {
    require(!errors.diagnostics().empty(), "refused without a word");
    require_sound(errors.diagnostics(), {text});
  }
}

void read_tuning(const std::string& text) {
  try {
    const std::string written = to_toml(parse_tuning(text, "fuzz.toml"));
    require(to_toml(parse_tuning(written, "written.toml")) == written, "a table reads back as another");
  } catch (const ConfigErrors& errors) {
    require(!errors.diagnostics().empty(), "refused without a word");
    require_sound(errors.diagnostics(), {text});
  }
}

/// What is done with a config once it is read.
void plan(const Config& config, const std::vector<std::string>& texts) {
  static const Catalogue known = make_catalogue();
  static const LaneTable lanes = make_lanes();
  Catalogue catalogue = known;
  add_own_kernels(catalogue, config);
  const std::vector<Diagnostic> findings = validate(config, catalogue);
  require_sound(findings, texts);
  if (has_errors(findings) || combinations(config) > most_combinations) return;
  const Expansion expansion = expand(config, catalogue, lanes);
  require_sound(expansion.warnings, texts);
  for (const Point& point : expansion.points) {
    require(point.sweep < config.sweeps.size(), "a point of no sweep");
    require(point.status == Status::not_run || !point.reason.empty(),
            "a point is left out without a reason");
  }
  for (const auto& task : make_searches(config, catalogue, lanes).tasks) {
    require(!task->label().empty(), "a search without a name");
  }
}

}  // namespace

void config(std::string_view bytes) {
  constexpr std::size_t most_sets = 4;
  std::vector<std::string> texts = parts(bytes, 1 + most_sets);
  while (texts.size() > 1 && texts.back().empty()) texts.pop_back();
  if (texts[0].find("[gate]") != std::string::npos || texts[0].find("[[rule]]") != std::string::npos) {
    read_gate(texts[0]);
  }
  if (texts[0].find("[tuning]") != std::string::npos) read_tuning(texts[0]);
  const std::vector<std::string> sets(texts.begin() + 1, texts.end());
  if (texts[0].starts_with("\xEF\xBB\xBF")) texts[0].erase(0, 3);
  try {
    Config config = parse_config(std::string(parts(bytes, 2)[0]), "fuzz.toml", rules());
    require(!config.sweeps.empty(), "a config without a sweep was accepted");
    for (const std::string& set : sets) apply_set(config, set);
    plan(config, texts);
  } catch (const ConfigErrors& errors) {
    require(has_errors(errors.diagnostics()), "refused without an error");
    require_sound(errors.diagnostics(), texts);
  }
}

}  // namespace benchctl::fuzz
