#include "config/measure_settings.hpp"

#include "config/read.hpp"
#include "model/values.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <sstream>
#include <stdexcept>

namespace benchctl {

namespace {

constexpr std::int64_t max_count = 1'000'000;
constexpr const char* up_to_a_million = "an integer from 1 to 1000000";

enum class Swept : bool { no, yes };

template <class Enum>
MeasureKeyInfo word_key(const char* name, const char* doc, Enum MeasureSettings::*field,
                        Swept swept = Swept::yes) {
  const std::vector<std::string> words = spellings<Enum>();
  return {name,
          "",
          doc,
          fmt::format("one of {}", fmt::join(words, ", ")),
          swept == Swept::yes ? words : std::vector<std::string>{},
          [field](MeasureSettings& settings, const Value& value) {
            const auto* word = std::get_if<std::string>(&value);
            const auto parsed = word == nullptr ? std::nullopt : parse_enum<Enum>(*word);
            if (parsed) settings.*field = *parsed;
            return parsed.has_value();
          },
          [field](const MeasureSettings& settings) { return std::string(to_string(settings.*field)); }};
}

template <std::unsigned_integral Integer>
MeasureKeyInfo integer_key(const char* name, const char* doc, const char* expected,
                           Integer MeasureSettings::*field, std::int64_t least, std::int64_t most) {
  return {name,
          "",
          doc,
          expected,
          {},
          [=](MeasureSettings& settings, const Value& value) {
            const auto* integer = std::get_if<std::int64_t>(&value);
            if (integer == nullptr || *integer < least || *integer > most) return false;
            settings.*field = static_cast<Integer>(*integer);
            return true;
          },
          [field](const MeasureSettings& settings) { return fmt::format("{}", settings.*field); }};
}

/// A number in the unit of its key; the field holds `factor` times that number.
MeasureKeyInfo real_key(const char* name, const char* unit, const char* doc, const char* expected,
                        double MeasureSettings::*field, double least, double most, double factor = 1) {
  return {name,
          unit,
          doc,
          expected,
          {},
          [=](MeasureSettings& settings, const Value& value) {
            const double number = as_number(value);
            if (!is_number(value) || !(number >= least && number <= most)) return false;
            settings.*field = number * factor;
            return true;
          },
          [=](const MeasureSettings& settings) { return fmt::format("{:g}", settings.*field / factor); }};
}

std::string observe_text(const MeasureSettings& settings) {
  return settings.observe.empty() ? "[]" : fmt::format("[\"{}\"]", fmt::join(settings.observe, "\", \""));
}

/// Names of readings with blanks between; `none` stands alone.
bool set_observe(MeasureSettings& settings, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return false;
  std::vector<std::string> names;
  std::istringstream words(*text);
  for (std::string word; words >> word;) names.push_back(word);
  const auto is_name_character = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (const std::string& name : names) {
    if (!std::ranges::all_of(name, is_name_character)) return false;
    if (name == "none" && names.size() > 1) return false;
  }
  settings.observe = std::move(names);
  return true;
}

std::vector<MeasureKeyInfo> make_keys() {
  using M = MeasureSettings;
  return {
      word_key("cache", "State of the caches before a sample.", &M::cache),
      word_key("launch", "How executions are queued.", &M::launch),
      word_key("basis", "Clock of the times.", &M::basis),
      word_key("precision",
               "What must be known before a point leaves the rounds: `answer` (whether it is the fastest; "
               "slower points leave early) or `all` (its time, within the target).",
               &M::precision, Swept::no),
      real_key("target", "", "Half the median's 95 % interval, as a share of it, at which sampling stops.",
               "a number from 0.000001 to 1", &M::target, 1e-6, 1),
      integer_key("min_samples", "Fewest samples, unless the time is up first.", up_to_a_million,
                  &M::min_samples, 1, max_count),
      integer_key("max_samples", "Most samples.", up_to_a_million, &M::max_samples, 1, max_count),
      real_key("max_seconds", "s", "Time for one point: warm-up and sampling, not verification.",
               "a number from 0.001 to 86400", &M::max_seconds, 1e-3, 86'400),
      integer_key("samples", "This many samples, without a stop rule; 0: by target.",
                  "an integer from 0 to 1000000", &M::fixed_samples, 0, max_count),
      real_key("min_sample_us", "µs", "Executions are batched until a sample lasts this long.",
               "a number from 0 to 1000000", &M::min_sample_ns, 0, 1e6, 1000),
      real_key("min_timer_steps", "",
               "Executions are batched until a sample lasts this many steps of the device's timer.",
               "a number from 0 to 1000000", &M::min_timer_steps, 0, 1e6),
      real_key("warmup_seconds", "s", "Longest warm-up, part of max_seconds.", "a number from 0 to 3600",
               &M::warmup_seconds, 0, 3600),
      real_key(
          "span_seconds", "s",
          "Least time over which the rounds of a group are spread, all of its points together; at most "
          "half of max_seconds. 0 with `samples`, and while a budget must cover all points.",
          "a number from 0 to 3600", &M::span_seconds, 0, 3600),
      word_key("mode",
               "How points are compared: by their own intervals, or round by round with a baseline.",
               &M::mode, Swept::no),
      integer_key("replicates", "Fresh worker processes that each measure everything.",
                  "an integer from 1 to 100", &M::replicates, 1, 100),
      integer_key("seed",
                  "Seed of the inputs and of the order of points in a round. 0: each run draws and stores "
                  "a new one.",
                  "an integer from 0 to 2^53", &M::seed, 0, std::int64_t{1} << 53),
      {"observe",
       "",
       "Readings beside the cheap ones, which are always taken: counters, energy; any observed metric "
       "below.",
       "a list of metrics, such as [\"energy\", \"cycles\"], or [\"none\"] for no readings at all",
       {},
       &set_observe,
       &observe_text,
       true},
  };
}

std::optional<MeasureEntry> read_measure_list(Reporter& reporter, const Node& node,
                                              const MeasureKeyInfo& key) {
  MeasureEntry entry{node.key, std::string(), node.position};
  if (node.kind == Node::Kind::array && node.children.empty()) return entry;
  auto words = read_words(reporter, node, fmt::format("'{}'", node.key));
  if (!words) return std::nullopt;
  std::string text;
  for (const Word& word : *words) text += (text.empty() ? "" : " ") + word.text;
  MeasureSettings scratch;
  if (!key.set(scratch, text)) {
    reporter.error(node.position, fmt::format("'{}' cannot be made of these names", node.key),
                   key.expected);
    return std::nullopt;
  }
  entry.value = text;
  entry.words = std::move(*words);
  return entry;
}

}  // namespace

std::span<const MeasureKeyInfo> measure_keys() {
  static const std::vector<MeasureKeyInfo> keys = make_keys();
  return keys;
}

const MeasureKeyInfo* find_measure_key(std::string_view name) {
  return find_by(measure_keys(), name, &MeasureKeyInfo::name);
}

std::vector<std::string> measure_key_names() { return names_of(measure_keys(), &MeasureKeyInfo::name); }

void apply_measure(MeasureSettings& settings, const MeasurePatch& patch) {
  for (const MeasureEntry& entry : patch) {
    const MeasureKeyInfo* key = find_measure_key(entry.key);
    if (key == nullptr || !key->set(settings, entry.value)) {
      throw std::logic_error("unchecked measure entry '" + entry.key + "'");
    }
  }
  settings.min_samples = std::min(settings.min_samples, settings.max_samples);
}

std::optional<MeasureEntry> read_measure_entry(Reporter& reporter, const Node& node) {
  const MeasureKeyInfo* key = find_measure_key(node.key);
  if (key->is_list) return read_measure_list(reporter, node, *key);
  MeasureSettings scratch;
  if (key->set(scratch, node.value)) return MeasureEntry{node.key, node.value, node.position};
  const auto* word = std::get_if<std::string>(&node.value);
  Diagnostic& added =
      reporter.error(node.position,
                     fmt::format("'{}' cannot be {}", node.key,
                                 node.raw.empty() ? std::string(describe(node.kind)) : node.raw),
                     key->expected);
  if (word != nullptr) added.suggestion = nearest_name(*word, key->choices).value_or("");
  return std::nullopt;
}

MeasurePatch read_measure(Reporter& reporter, const Node& node, const std::string& place) {
  check_keys(reporter, node, place, measure_key_names());
  MeasurePatch patch;
  if (node.kind != Node::Kind::table) return patch;
  for (const Node& member : node.children) {
    if (find_measure_key(member.key) == nullptr) continue;
    if (auto entry = read_measure_entry(reporter, member)) patch.push_back(std::move(*entry));
  }
  const MeasureEntry* least = find_by(patch, std::string_view("min_samples"), &MeasureEntry::key);
  const MeasureEntry* most = find_by(patch, std::string_view("max_samples"), &MeasureEntry::key);
  if (least != nullptr && most != nullptr) {
    const auto low = std::get<std::int64_t>(least->value);
    const auto high = std::get<std::int64_t>(most->value);
    if (low > high) {
      reporter.error(least->position, fmt::format("min_samples is {}, but max_samples is {}", low, high),
                     fmt::format("at most {}", high));
    }
  }
  return patch;
}

}  // namespace benchctl
