#include <benchctl/digest.hpp>

#include "config/config.hpp"
#include "config/measure_settings.hpp"
#include "config/read.hpp"
#include "config/read_kernel.hpp"
#include "config/read_workload.hpp"
#include "config/sources.hpp"
#include "model/json.hpp"
#include "model/words.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

namespace benchctl {

namespace {

Experiment read_experiment(Reporter& reporter, const Node& node) {
  const TableReader table(reporter, node, "[experiment]");
  Experiment experiment;
  table.read_name("name", experiment.name);
  experiment.title = experiment.name;
  table.read("title", experiment.title);
  table.read("description", experiment.description);
  table.read_name("question", experiment.question);
  table.read("roofs", experiment.roofs);
  table.read("order", experiment.order);
  return experiment;
}

void read_published(Reporter& reporter, const Node& node, Config& config) {
  for (const Node& element :
       children_of(reporter, node, Node::Kind::array, "'published'", "one [[published]] or more")) {
    if (auto entry = read_published(reporter, element)) config.published.push_back(std::move(*entry));
  }
}

/// The roofs of every device that the config measures on, before everything else: every probe. Nothing to
/// add where the config measures them anyway.
void add_roof_sweeps(Config& config) {
  const Workload& peaks = roof_workload();
  const bool there = std::ranges::any_of(
      config.sweeps, [&](const Sweep& sweep) { return sweep.workload.text == peaks.name(); });
  if (there) return;
  Sweep roofs;
  roofs.name = "roofs";
  roofs.position = config.sweeps.front().position;
  roofs.workload = {std::string(peaks.name()), roofs.position};
  roofs.backends.emplace();
  for (const Sweep& sweep : config.sweeps) {
    if (!sweep.backends) roofs.backends.reset();
    if (!roofs.backends) break;
    for (const Word& backend : *sweep.backends) {
      if (!contains(names_of(*roofs.backends, &Word::text), backend.text))
        roofs.backends->push_back(backend);
    }
  }
  Axis probes{"probe", roofs.position, {}, {}, {}};
  for (const ParameterInfo& parameter : peaks.parameters()) {
    if (parameter.name != probes.name) continue;
    for (const std::string& choice : parameter.choices) {
      probes.values.emplace_back(choice);
      probes.value_positions.push_back(roofs.position);
    }
  }
  roofs.axes.push_back(std::move(probes));
  // What the config wants to know of its own points takes time; roofs are but times.
  roofs.measure.push_back({"observe", std::string(), roofs.position});
  config.sweeps.insert(config.sweeps.begin(), std::move(roofs));
}

/// The trusted kernel of a workload is part of what the workload is.
void settle_trusted_kernel(Reporter& reporter, WorkloadEntry& workload,
                           const std::vector<KernelEntry>& kernels) {
  CheckDeclaration& check = workload.declaration.check;
  if (check.kernel.empty()) return;
  std::vector<std::string> names;
  std::string contents;
  for (const KernelEntry& kernel : kernels) {
    if (kernel.variant.workload != workload.declaration.name) continue;
    names.push_back(kernel.variant.name);
    if (kernel.variant.name != check.kernel) continue;
    contents += kernel.backend + '\0' + to_json(kernel.variant).dump() + '\0';
    for (const SourceFile& file : kernel.files) contents += file.name + '\0' + file.text + '\0';
  }
  if (contents.empty()) {
    reporter.unknown_name(workload.kernel_position, check.kernel,
                          fmt::format("[workload.{}.check]: no [[kernel]] of this workload is called '{}'",
                                      workload.declaration.name, check.kernel),
                          names);
  }
  check.kernel_digest = digest_text(contents);
}

/// What counts of buffers name beside parameters must be a tunable of each kernel of the workload.
void check_size_tunables(Reporter& reporter, const WorkloadEntry& workload,
                         const std::vector<KernelEntry>& kernels) {
  const std::string& own = workload.declaration.name;
  const auto has = [](const KernelEntry& kernel, const std::string& name) {
    return contains(names_of(kernel.variant.tunables, &TunableInfo::name), name);
  };
  Names known = names_of(workload.declaration.parameters, &ParameterInfo::name);
  for (const KernelEntry& kernel : kernels) {
    if (kernel.variant.workload != own) continue;
    for (const TunableInfo& tunable : kernel.variant.tunables) add_once(known, tunable.name);
  }
  Names seen;
  for (const auto& [name, position] : workload.size_tunables) {
    if (!contains(known, name)) {
      reporter.unknown_name(position, name,
                            fmt::format("[workload.{}]: nothing is called '{}' here", own, name), known);
    } else if (!contains(seen, name)) {
      seen.push_back(name);
      for (const KernelEntry& kernel : kernels) {
        if (kernel.variant.workload != own || has(kernel, name)) continue;
        reporter.error(kernel.name_position,
                       fmt::format("kernel '{}' has no tunable '{}', which a count of [workload.{}] names",
                                   kernel.variant.name, name, own),
                       "this tunable in each kernel of the workload");
      }
    }
  }
}

/// Workloads and kernels that the config brings itself.
void read_own(Reporter& reporter, const TableReader& table, Config& config) {
  std::vector<WorkloadEntry> workloads;
  if (const Node* node = table.find("workload")) workloads = read_workloads(reporter, *node, config.files);
  const auto declare = [&](const WorkloadEntry& workload) {
    config.workloads = config.workloads.with(make_workload(workload.declaration));
  };
  // Known before anything refers to them; once more when the trusted kernels are known.
  std::erase_if(workloads, [&](const WorkloadEntry& workload) {
    try {
      declare(workload);
      return false;
    } catch (const std::invalid_argument& error) {
      reporter.error(workload.position, error.what());
      return true;
    }
  });
  std::vector<std::string> declared;
  if (const Node* node = table.find("workload")) {
    for (const Node& member : node->children) declared.push_back(member.key);
  }
  if (const Node* node = table.find("kernel")) {
    config.kernels = read_kernels(reporter, *node, config.files, config.workloads, declared);
  }
  for (WorkloadEntry& workload : workloads) {
    settle_trusted_kernel(reporter, workload, config.kernels);
    check_size_tunables(reporter, workload, config.kernels);
    declare(workload);
    std::ranges::move(workload.data_files, std::back_inserter(config.data_files));
  }
}

[[noreturn]] void refuse_file(const std::string& name, const std::string& why) {
  Reporter reporter({SourceText{name, {}}});
  reporter.error({}, why);
  throw ConfigErrors(reporter.take());
}

std::string read_to_end(std::istream& file, const std::string& name) {
  std::optional<std::string> text = read_up_to(file, max_config_bytes);
  if (!text) {
    refuse_file(name, fmt::format("larger than {} MiB, the limit for a config; write ranges instead of "
                                  "lists, or use several configs",
                                  max_config_bytes >> 20));
  }
  if (file.bad()) refuse_file(name, "could not be read completely");
  return *std::move(text);
}

}  // namespace

Reporter Config::reporter() const {
  std::vector<SourceText> sources{SourceText{path, text}};
  for (const std::string& set : sets) sources.push_back({"--set", set});
  return Reporter(std::move(sources));
}

Config parse_config(const std::string& text, const std::string& name, FileRules files) {
  Config config;
  config.path = name;
  config.files = std::move(files);
  // A byte-order mark does not belong to line 1.
  config.text = text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
  Reporter reporter = config.reporter();
  const Node document = parse_document(reporter, 0);
  const TableReader table(reporter, document, "the config");
  if (const Node* experiment = table.find("experiment")) {
    config.experiment = read_experiment(reporter, *experiment);
  }
  MeasurePatch measure;
  if (const Node* node = table.find("measure")) measure = read_measure(reporter, *node, "[measure]");
  if (const Node* compare = table.find("compare")) read_compare(reporter, *compare, config);
  if (const Node* search = table.find("search")) read_search(reporter, *search, "[search]", config.search);
  read_own(reporter, table, config);
  if (const Node* sweeps = table.find("sweep")) read_sweeps(reporter, *sweeps, config);
  if (const Node* published = table.find("published")) read_published(reporter, *published, config);
  reporter.throw_if_any();
  apply_measure(config.measure, measure);
  config.measure_entries = std::move(measure);
  if (config.experiment.roofs == Roofs::run) add_roof_sweeps(config);
  return config;
}

std::string read_config_text(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) refuse_file(name, "this is a folder, not a config file");
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse_file(name, fmt::format("cannot be read: {}", std::strerror(errno)));
  return read_to_end(file, name);
}

Config load_config(const std::filesystem::path& path, bool allow_outside) {
  if (path == standard_input) {
    const std::string name = "standard input";
    return parse_config(read_to_end(std::cin, name), name, {".", allow_outside});
  }
  const std::string text = read_config_text(path);
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  return parse_config(text, path.string(), {folder, allow_outside});
}

}  // namespace benchctl
