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
  j.at("batch").get_to(request.batch);
  j.at("count").get_to(request.count);
  j.at("sets").get_to(request.sets);
  j.at("set").get_to(request.set);
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
  j.at("ns").get_to(block.ns);
  j.at("batch").get_to(block.batch);
  j.at("gated").get_to(block.gated);
  for (const auto& [name, values] : j.at("readings").items()) {
    block.readings[name] = values.get<std::vector<double>>();
  }
  j.at("note").get_to(block.note);
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
  j.at("ok").get_to(verification.ok);
  j.at("reason").get_to(verification.reason);
  j.at("error_norm").get_to(verification.error_norm);
  j.at("tolerance_norm").get_to(verification.tolerance_norm);
  j.at("worst_error").get_to(verification.worst_error);
  j.at("worst_tolerance").get_to(verification.worst_tolerance);
  j.at("worst_element").get_to(verification.worst_element);
  j.at("checked").get_to(verification.checked);
  j.at("not_a_number").get_to(verification.not_a_number);
  j.at("guard_bytes_changed").get_to(verification.guard_bytes_changed);
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
  j.at("target").get_to(settings.target);
  j.at("min_samples").get_to(settings.min_samples);
  j.at("max_samples").get_to(settings.max_samples);
  j.at("max_seconds").get_to(settings.max_seconds);
  j.at("fixed_samples").get_to(settings.fixed_samples);
  j.at("min_sample_ns").get_to(settings.min_sample_ns);
  j.at("min_timer_steps").get_to(settings.min_timer_steps);
  j.at("warmup_seconds").get_to(settings.warmup_seconds);
  // Rows of older stores were all measured in one way.
  if (j.contains("mode")) settings.mode = enum_from<RoundMode>(j.at("mode"));
  if (j.contains("replicates")) j.at("replicates").get_to(settings.replicates);
  j.at("seed").get_to(settings.seed);
  if (j.contains("observe")) j.at("observe").get_to(settings.observe);
  return settings;
}

}  // namespace benchctl
