// JSON forms of what is asked of samples and of what comes back.
#include "model/json.hpp"

#include "model/json_words.hpp"

#include <nlohmann/json.hpp>

namespace benchctl {

using nlohmann::json;

json to_json(const SampleRequest& request) {
  return {{"cache", name_of(request.cache)},
          {"launch", name_of(request.launch)},
          {"basis", name_of(request.basis)},
          {"batch", request.batch},
          {"count", request.count},
          {"sets", request.sets},
          {"set", request.set}};
}

SampleRequest sample_request_from_json(const json& j) {
  SampleRequest request;
  request.cache = enum_from<CacheMode>(j.at("cache"));
  request.launch = enum_from<LaunchMode>(j.at("launch"));
  request.basis = enum_from<Basis>(j.at("basis"));
  read(j.at("batch"), request.batch);
  read(j.at("count"), request.count);
  read(j.at("sets"), request.sets);
  read(j.at("set"), request.set);
  return request;
}

json to_json(const SampleBlock& block) {
  return {{"ns", block.ns},
          {"batch", block.batch},
          {"gated", block.gated},
          {"readings", block.readings},
          {"note", block.note}};
}

SampleBlock sample_block_from_json(const json& j) {
  SampleBlock block;
  read(j.at("ns"), block.ns);
  read(j.at("batch"), block.batch);
  read(j.at("gated"), block.gated);
  for (const auto& [name, values] : j.at("readings").items()) {
    block.readings[name] = values.get<std::vector<double>>();
  }
  read(j.at("note"), block.note);
  return block;
}

json to_json(const Verification& verification) {
  return {{"ok", verification.ok},
          {"reason", verification.reason},
          {"error_norm", verification.error_norm},
          {"tolerance_norm", verification.tolerance_norm},
          {"worst_error", verification.worst_error},
          {"worst_tolerance", verification.worst_tolerance},
          {"worst_element", verification.worst_element},
          {"checked", verification.checked},
          {"not_a_number", verification.not_a_number},
          {"guard_bytes_changed", verification.guard_bytes_changed}};
}

Verification verification_from_json(const json& j) {
  Verification verification;
  read(j.at("ok"), verification.ok);
  read(j.at("reason"), verification.reason);
  read(j.at("error_norm"), verification.error_norm);
  read(j.at("tolerance_norm"), verification.tolerance_norm);
  read(j.at("worst_error"), verification.worst_error);
  read(j.at("worst_tolerance"), verification.worst_tolerance);
  read(j.at("worst_element"), verification.worst_element);
  read(j.at("checked"), verification.checked);
  read(j.at("not_a_number"), verification.not_a_number);
  read(j.at("guard_bytes_changed"), verification.guard_bytes_changed);
  return verification;
}

json to_json(const MeasureSettings& settings) {
  json object = {{"cache", name_of(settings.cache)},          {"launch", name_of(settings.launch)},
                 {"basis", name_of(settings.basis)},          {"target", settings.target},
                 {"min_samples", settings.min_samples},       {"max_samples", settings.max_samples},
                 {"max_seconds", settings.max_seconds},       {"fixed_samples", settings.fixed_samples},
                 {"min_sample_ns", settings.min_sample_ns},   {"min_timer_steps", settings.min_timer_steps},
                 {"warmup_seconds", settings.warmup_seconds}, {"mode", name_of(settings.mode)},
                 {"replicates", settings.replicates},         {"seed", settings.seed}};
  // Left out where nothing is asked for, as in the keys and rows of older stores.
  if (!settings.observe.empty()) object["observe"] = settings.observe;
  return object;
}

MeasureSettings measure_settings_from_json(const json& j) {
  MeasureSettings settings;
  settings.cache = enum_from<CacheMode>(j.at("cache"));
  settings.launch = enum_from<LaunchMode>(j.at("launch"));
  settings.basis = enum_from<Basis>(j.at("basis"));
  read(j.at("target"), settings.target);
  read(j.at("min_samples"), settings.min_samples);
  read(j.at("max_samples"), settings.max_samples);
  read(j.at("max_seconds"), settings.max_seconds);
  read(j.at("fixed_samples"), settings.fixed_samples);
  read(j.at("min_sample_ns"), settings.min_sample_ns);
  read(j.at("min_timer_steps"), settings.min_timer_steps);
  read(j.at("warmup_seconds"), settings.warmup_seconds);
  // Rows of older stores were all measured in one way.
  if (j.contains("mode")) settings.mode = enum_from<RoundMode>(j.at("mode"));
  if (j.contains("replicates")) read(j.at("replicates"), settings.replicates);
  read(j.at("seed"), settings.seed);
  if (j.contains("observe")) read(j.at("observe"), settings.observe);
  return settings;
}

}  // namespace benchctl
