// Named baselines.
#include "store/codec.hpp"
#include "store/database.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace benchctl {

namespace {

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  return error == std::errc() && end == last && number > 0 ? std::optional(number) : std::nullopt;
}

}  // namespace

bool is_baseline_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto fits = [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  };
  return !name.empty() && name.size() <= 64 && letter(name.front()) && std::ranges::all_of(name, fits) &&
         name != "all" && !name.ends_with(".db") && !name.ends_with(".json");
}

void Store::set_baseline(std::string_view name, RunId run) {
  if (!is_baseline_name(name)) throw std::logic_error("no name for a baseline");
  guarded(impl_->file, "write to", [&] {
    SQLite::Statement insert(impl_->database,
                             "INSERT OR REPLACE INTO baselines (name, run, set_at) VALUES (?, ?, ?)");
    Binder(insert) << name << run << utc_now();
    insert.exec();
  });
}

bool Store::remove_baseline(std::string_view name) {
  return guarded(impl_->file, "write to", [&] {
    SQLite::Statement erase(impl_->database, "DELETE FROM baselines WHERE name = ?");
    Binder(erase) << name;
    return erase.exec() > 0;
  });
}

std::vector<BaselineRow> Store::baselines() const {
  return guarded(impl_->file, "read", [&] {
    std::vector<BaselineRow> baselines;
    SQLite::Statement query(impl_->database, "SELECT name, run, set_at FROM baselines ORDER BY name");
    while (query.executeStep()) {
      BaselineRow& baseline = baselines.emplace_back();
      Row(query) >> baseline.name >> baseline.run >> baseline.set_at;
    }
    return baselines;
  });
}

std::optional<RunId> Store::find_named(std::string_view name) const {
  if (const auto number = number_in(name)) {
    return run(RunId{*number}) ? std::optional(RunId{*number}) : std::nullopt;
  }
  return guarded(impl_->file, "read", [&]() -> std::optional<RunId> {
    SQLite::Statement query(impl_->database, "SELECT run FROM baselines WHERE name = ?");
    Binder(query) << name;
    if (!query.executeStep()) return std::nullopt;
    return RunId{query.getColumn(0).getInt64()};
  });
}

}  // namespace benchctl
