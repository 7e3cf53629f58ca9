#include "cli/compare_sides.hpp"

#include "cli/run_names.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <sstream>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

/// Does the file begin as JSON does, rather than as a database?
bool is_document(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  char first = '\0';
  return static_cast<bool>(stream >> first) && (first == '{' || first == '[');
}

/// No run and no baseline is called so.
bool names_file(const std::string& name) {
  return name.ends_with(".db") || name.ends_with(".json") || name.find('/') != std::string::npos;
}

std::optional<std::int64_t> run_number(const std::string& text, const std::string& file) {
  if (text.empty()) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  throw UsageError(
      fmt::format("'{}' is not a number: name a document's run as {}:NUMBER", text, file));
}

}  // namespace

CompareSide CompareSides::of_store(const fs::path& file, const std::string& run) {
  stores_.push_back(std::make_unique<Store>(Store::open(file, Store::Access::read_only)));
  const Store& store = *stores_.back();
  if (!run.empty()) return side_of(store, run_in(store, run).id);
  const std::optional<RunRow> newest = store.newest_complete_run();
  if (!newest) throw UsageError(fmt::format("{} has no complete run", store.path().string()));
  return side_of(store, newest->id);
}

CompareSide CompareSides::of_file(const fs::path& file, const std::string& run) {
  if (!is_document(file)) return of_store(file, run);
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return side_of_document(text.str(), file.string(), run_number(run, file.string()));
}

CompareSide CompareSides::open(const fs::path& store, const std::string& name) {
  std::error_code ignored;
  if (name.empty()) return of_store(store, "");
  if (fs::is_regular_file(name, ignored)) return of_file(name, "");
  const std::size_t colon = name.rfind(':');
  if (colon == std::string::npos) {
    if (names_file(name)) throw UsageError(fmt::format("there is no file '{}'", name));
    return of_store(store, name);
  }
  const fs::path file = name.substr(0, colon);
  if (!fs::is_regular_file(file, ignored))
    throw UsageError(fmt::format("there is no file '{}'", file.string()));
  return of_file(file, name.substr(colon + 1));
}

}  // namespace benchctl::cli
