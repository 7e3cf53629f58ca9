#include "config/measure_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace benchctl {

namespace {

template <class Enum, Enum MeasureSettings::*field>
bool set_word(MeasureSettings& settings, const Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  const auto parsed = word == nullptr ? std::nullopt : parse_enum<Enum>(*word);
  if (parsed) settings.*field = *parsed;
  return parsed.has_value();
}

template <class Integer, Integer MeasureSettings::*field, std::int64_t least, std::int64_t most>
bool set_integer(MeasureSettings& settings, const Value& value) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (integer == nullptr || *integer < least || *integer > most) return false;
  settings.*field = static_cast<Integer>(*integer);
  return true;
}

/// Reads a number, multiplies it by `factor` into the field's unit.
template <double MeasureSettings::*field, int factor>
bool set_real(MeasureSettings& settings, const Value& value, double least, double most) {
  double number = 0;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    number = static_cast<double>(*integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    number = *real;
  } else {
    return false;
  }
  if (!(number >= least && number <= most)) return false;
  settings.*field = number * factor;
  return true;
}

template <class Enum, Enum MeasureSettings::*field>
std::string word_text(const MeasureSettings& settings) {
  return std::string(to_string(settings.*field));
}

/// A number in the unit of its key; the field holds `factor` times that number.
template <auto field, int factor = 1>
std::string number_text(const MeasureSettings& settings) {
  return fmt::format("{:g}", static_cast<double>(settings.*field) / factor);
}

std::string observe_text(const MeasureSettings& settings) {
  return settings.observe.empty() ? "[]" : fmt::format("[\"{}\"]", fmt::join(settings.observe, "\", \""));
}

template <class Enum>
std::vector<std::string> words() {
  std::vector<std::string> names;
  for (const auto& entry : detail::Spellings<Enum>::table) names.emplace_back(entry.second);
  return names;
}

template <class Enum, Enum MeasureSettings::*field>
MeasureKeyInfo word_key(const char* name, const char* doc) {
  return {name,
          "",
          doc,
          fmt::format("one of {}", fmt::join(words<Enum>(), ", ")),
          words<Enum>(),
          &set_word<Enum, field>,
          &word_text<Enum, field>};
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

constexpr std::int64_t max_count = 1'000'000;

std::vector<MeasureKeyInfo> make_keys() {
  using M = MeasureSettings;
  const std::string up_to_a_million = fmt::format("an integer from 1 to {}", max_count);
  return {
      word_key<CacheMode, &M::cache>("cache", "State of the caches before a sample."),
      word_key<LaunchMode, &M::launch>("launch", "How executions are queued."),
      word_key<Basis, &M::basis>("basis", "Clock of the times."),
      {"precision",
       "",
       "What must be known before a point leaves the rounds: `answer` (whether it is the fastest; slower "
       "points leave early) or `all` (its time, within the target).",
       "one of answer, all",
       {},
       &set_word<Precision, &M::precision>,
       &word_text<Precision, &M::precision>},
      {"target",
       "",
       "Half the median's 95 % interval, as a share of it, at which sampling stops.",
       "a number from 0.000001 to 1",
       {},
       [](M& settings, const Value& value) { return set_real<&M::target, 1>(settings, value, 1e-6, 1); },
       &number_text<&M::target>},
      {"min_samples",
       "",
       "Fewest samples, unless the time is up first.",
       up_to_a_million,
       {},
       &set_integer<std::uint32_t, &M::min_samples, 1, max_count>,
       &number_text<&M::min_samples>},
      {"max_samples",
       "",
       "Most samples.",
       up_to_a_million,
       {},
       &set_integer<std::uint32_t, &M::max_samples, 1, max_count>,
       &number_text<&M::max_samples>},
      {"max_seconds",
       "s",
       "Time for one point: warm-up and sampling, not verification.",
       "a number from 0.001 to 86400",
       {},
       [](M& settings, const Value& value) {
         return set_real<&M::max_seconds, 1>(settings, value, 1e-3, 86'400);
       },
       &number_text<&M::max_seconds>},
      {"samples",
       "",
       "This many samples, without a stop rule; 0: by target.",
       fmt::format("an integer from 0 to {}", max_count),
       {},
       &set_integer<std::uint32_t, &M::fixed_samples, 0, max_count>,
       &number_text<&M::fixed_samples>},
      {"min_sample_us",
       "µs",
       "Executions are batched until a sample lasts this long.",
       "a number from 0 to 1000000",
       {},
       [](M& settings, const Value& value) {
         return set_real<&M::min_sample_ns, 1000>(settings, value, 0, 1e6);
       },
       &number_text<&M::min_sample_ns, 1000>},
      {"min_timer_steps",
       "",
       "Executions are batched until a sample lasts this many steps of the device's timer.",
       "a number from 0 to 1000000",
       {},
       [](M& settings, const Value& value) {
         return set_real<&M::min_timer_steps, 1>(settings, value, 0, 1e6);
       },
       &number_text<&M::min_timer_steps>},
      {"warmup_seconds",
       "s",
       "Longest warm-up, part of max_seconds.",
       "a number from 0 to 3600",
       {},
       [](M& settings, const Value& value) {
         return set_real<&M::warmup_seconds, 1>(settings, value, 0, 3600);
       },
       &number_text<&M::warmup_seconds>},
      {"span_seconds",
       "s",
       "Least time over which the rounds of a group are spread, all of its points together; at most half "
       "of max_seconds. 0 with `samples`, and while a budget must cover all points.",
       "a number from 0 to 3600",
       {},
       [](M& settings, const Value& value) {
         return set_real<&M::span_seconds, 1>(settings, value, 0, 3600);
       },
       &number_text<&M::span_seconds>},
      {"mode",
       "",
       "How points are compared: by their own intervals, or round by round with a baseline.",
       fmt::format("one of {}", fmt::join(words<RoundMode>(), ", ")),
       {},
       &set_word<RoundMode, &M::mode>,
       &word_text<RoundMode, &M::mode>},
      {"replicates",
       "",
       "Fresh worker processes that each measure everything.",
       "an integer from 1 to 100",
       {},
       &set_integer<std::uint32_t, &M::replicates, 1, 100>,
       &number_text<&M::replicates>},
      {"seed",
       "",
       "Seed of the inputs and of the order of points in a round. 0: each run draws and stores a new one.",
       "an integer from 0 to 2^53",
       {},
       &set_integer<std::uint64_t, &M::seed, 0, std::int64_t{1} << 53>,
       &number_text<&M::seed>},
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

}  // namespace

std::span<const MeasureKeyInfo> measure_keys() {
  static const std::vector<MeasureKeyInfo> keys = make_keys();
  return keys;
}

const MeasureKeyInfo* find_measure_key(std::string_view name) {
  const auto keys = measure_keys();
  const auto found = std::ranges::find(keys, name, &MeasureKeyInfo::name);
  return found == keys.end() ? nullptr : &*found;
}

std::vector<std::string> measure_key_names() {
  std::vector<std::string> names;
  for (const MeasureKeyInfo& key : measure_keys()) names.push_back(key.name);
  return names;
}

void apply_measure(MeasureSettings& settings, const MeasurePatch& patch) {
  for (const MeasureEntry& entry : patch) {
    const MeasureKeyInfo* key = find_measure_key(entry.key);
    if (key == nullptr || !key->set(settings, entry.value)) {
      throw std::logic_error("unchecked measure entry '" + entry.key + "'");
    }
  }
  settings.min_samples = std::min(settings.min_samples, settings.max_samples);
}

}  // namespace benchctl
