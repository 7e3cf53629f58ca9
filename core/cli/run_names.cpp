#include "cli/run_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

class Finder {
 public:
  explicit Finder(NamedRuns& found) : found_(found) {}

  const Store& open(const fs::path& file) {
    const fs::path absolute = fs::absolute(file).lexically_normal();
    for (const auto& store : found_.stores) {
      if (store->path().lexically_normal() == absolute) return *store;
    }
    found_.stores.push_back(std::make_unique<Store>(Store::open(file, Store::Access::read_only)));
    return *found_.stores.back();
  }

  void add_newest(const Store& store) {
    const std::optional<RunRow> newest = store.newest_run();
    if (!newest) throw UsageError(fmt::format("{} has no runs yet", store.path().string()));
    add(store, newest->id);
  }

  /// False if that store has no such run.
  bool add_named(const Store& store, const std::string& name) {
    if (name == "all") {
      std::vector<RunRow> runs = store.runs();
      std::ranges::reverse(runs);
      for (const RunRow& run : runs) add(store, run.id);
      return !runs.empty();
    }
    const auto run = store.find_named(name);
    if (run) add(store, *run);
    return run.has_value();
  }

 private:
  void add(const Store& store, RunId run) {
    const auto same = [&](const ReportSource& source) {
      return source.store == &store && source.run == run;
    };
    if (std::ranges::none_of(found_.sources, same)) found_.sources.push_back({&store, run});
  }

  NamedRuns& found_;
};

[[noreturn]] void refuse(const std::string& name, const std::string& where) {
  throw UsageError(fmt::format(
      "'{}' names no run in {}; `benchctl runs` lists them. A run is its number, the name of a baseline, "
      "`all`, or FILE:RUN for another store",
      name, where));
}

void find_in_file(Finder& finder, const std::string& name) {
  const std::size_t colon = name.rfind(':');
  if (colon == std::string::npos) {
    finder.add_newest(finder.open(name));
    return;
  }
  const std::string file = name.substr(0, colon);
  if (!finder.add_named(finder.open(file), name.substr(colon + 1))) refuse(name.substr(colon + 1), file);
}

}  // namespace

NamedRuns open_runs(const std::vector<std::string>& stores, const std::vector<std::string>& names) {
  NamedRuns found;
  Finder finder(found);
  std::vector<const Store*> named;
  const auto own_stores = [&]() -> const std::vector<const Store*>& {
    if (named.empty()) {
      for (const std::string& file : stores) named.push_back(&finder.open(file));
    }
    return named;
  };
  if (names.empty()) {
    for (const Store* store : own_stores()) finder.add_newest(*store);
  }
  for (const std::string& name : names) {
    std::error_code ignored;
    if (name.find(':') != std::string::npos || fs::is_regular_file(name, ignored)) {
      find_in_file(finder, name);
      continue;
    }
    std::vector<std::string> holders;
    for (const Store* store : own_stores()) {
      if (finder.add_named(*store, name)) holders.push_back(store->path().string());
    }
    if (holders.empty()) refuse(name, fmt::format("{}", fmt::join(stores, ", ")));
    if (holders.size() > 1 && name != "all") {
      throw UsageError(fmt::format("run {} is in several stores ({}): write FILE:{}", name,
                                   fmt::join(holders, ", "), name));
    }
  }
  return found;
}

NamedRuns open_run(const std::string& store, const std::string& name) {
  NamedRuns found = open_runs({store}, name.empty() ? std::vector<std::string>{} : std::vector{name});
  if (found.sources.size() != 1) throw UsageError(fmt::format("'{}' names several runs: name one", name));
  return found;
}

RunRow run_in(const Store& store, const std::string& name) {
  const std::optional<RunId> run = store.find_named(name);
  std::optional<RunRow> row = name.empty() ? store.newest_run() : run ? store.run(*run) : std::nullopt;
  if (row) return *std::move(row);
  if (name.empty()) throw UsageError(fmt::format("{} has no runs yet", store.path().string()));
  throw UsageError(fmt::format("{} has no run '{}'; see `benchctl runs`", store.path().string(), name));
}

}  // namespace benchctl::cli
