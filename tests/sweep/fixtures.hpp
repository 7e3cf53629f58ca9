// A workload and tables made by hand, so that every figure in these tests can be worked out on paper.
#pragma once

#include "config/config.hpp"
#include "support/catch.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/expand.hpp"
#include "sweep/lanes.hpp"
#include "workloads/basic.hpp"

#include <memory>

namespace benchctl::test {

/// `grid`: parameters n (default 64), m (default n), dtype; layouts aos and soa; buffers `in` of n elements
/// and `out` of m elements. n = 13 is refused.
class GridWorkload final : public BasicWorkload {
 public:
  GridWorkload()
      : BasicWorkload({.name = "grid",
                       .doc = "for tests",
                       .parameters = {integer_parameter("n", "columns", "64", 1, 1e12),
                                      {"m", "rows", "n", false, {}, 1, 1e12},
                                      dtype_parameter({"f32", "f64", "f16"})},
                       .layouts = {"aos", "soa"}}) {}
  Cost cost(const Parameters&) const override { return {}; }
  Reference reference(const ProblemSpec&, std::uint64_t) const override { return {}; }
  Verification check(const ProblemSpec&, std::string_view, const Reference&,
                     const BufferReader&) const override {
    return {};
  }

 private:
  void define(ProblemSpec& spec) const override {
    const auto n = static_cast<std::uint64_t>(std::get<std::int64_t>(spec.parameters.at("n")));
    const auto m = static_cast<std::uint64_t>(as_number(spec.parameters.at("m")));
    if (n == 13) throw ProblemError("grid: n = 13 brings bad luck");
    if (m == 13 && spec.layout == "soa") throw ProblemError("grid: m = 13 has no soa");
    const DType type = dtype_of(spec.parameters, {DType::f32, DType::f64, DType::f16});
    spec.buffers = {input_buffer("in", type, n), output_buffer("out", type, m)};
  }
};

inline const WorkloadRegistration grid_registration(std::make_unique<GridWorkload>());

inline VariantInfo variant(const std::string& name, std::vector<TunableInfo> tunables = {}) {
  VariantInfo info;
  info.workload = "grid";
  info.name = name;
  info.tunables = std::move(tunables);
  return info;
}

inline TunableInfo tunable(const std::string& name, Value default_value,
                           std::vector<std::string> require = {}) {
  return {name, std::move(default_value), "for tests", std::move(require)};
}

/// Backends `gpu` (plain, tiled, fancy) and `cpu` (plain, tiled, threads); `gone` was left out.
inline Catalogue catalogue() {
  const std::int64_t tile = 16;
  const std::int64_t one = 1;
  Catalogue tables;
  tables.backends.push_back({"gpu",
                             {variant("plain"), variant("tiled", {tunable("tile", tile, {"tile >= 1"})}),
                              variant("fancy", {tunable("tile", tile, {"tile >= 1", "tile <= n"}),
                                                tunable("mode", std::string("fast"))})},
                             "/kernels/gpu",
                             false});
  tables.backends.push_back(
      {"cpu",
       {variant("plain"), variant("tiled", {tunable("tile", tile, {"tile >= 1"})}),
        variant("threads", {tunable("threads", one), tunable("share", 0.5), tunable("pin", true)})},
       "/kernels/cpu",
       false});
  tables.absent.push_back({"gone", "its toolkit was not found"});
  return tables;
}

inline Lane lane(const std::string& backend, const std::string& id, DeviceType type) {
  Lane result;
  result.backend = backend;
  result.device.id = id;
  result.device.type = type;
  result.device.physical = backend + "-" + id;
  result.device.fp64 = true;
  result.device.fp16 = true;
  return result;
}

/// gpu:0, gpu:1 and cpu:0.
inline LaneTable lanes() {
  return {{"gpu", {lane("gpu", "0", DeviceType::gpu), lane("gpu", "1", DeviceType::gpu)}, {}},
          {"cpu", {lane("cpu", "0", DeviceType::cpu)}, {}}};
}

/// One sweep of `grid`; its keys follow from line 5 on.
inline Config config(const std::string& keys) {
  return parse_config("[experiment]\nname = 'x'\n[[sweep]]\nworkload = 'grid'\n" + keys, "x.toml");
}

inline Expansion expand(const std::string& keys, const LaneTable& table = lanes(),
                        const Catalogue& tables = catalogue()) {
  return benchctl::expand(config(keys), tables, table);
}

inline std::vector<Point> points_of(const std::string& keys, const LaneTable& table = lanes(),
                                    const Catalogue& tables = catalogue()) {
  return expand(keys, table, tables).points;
}

/// `variant@device n=1 tile=2`: what tells the points of a test apart; `n` and `tile` only if `with` names
/// them.
inline std::vector<std::string> short_labels(const std::vector<Point>& points,
                                             const std::vector<std::string>& with) {
  std::vector<std::string> labels;
  for (const Point& point : points) {
    std::string label = point.variant + "@" + point.device;
    for (const std::string& name : with) {
      for (const auto* values : {&point.problem, &point.tunables}) {
        const auto found = values->find(name);
        if (found != values->end()) label += " " + name + "=" + to_text(found->second);
      }
      if (name == "layout") label += " " + point.layout;
      if (name == "cache") label += " " + std::string(to_string(point.measure.cache));
    }
    labels.push_back(label);
  }
  return labels;
}

using Labels = std::vector<std::string>;

/// Of the points that the keys of a sweep come to.
inline Labels labels_of(const std::vector<std::string>& with, const std::string& keys,
                        const LaneTable& table = lanes(), const Catalogue& tables = catalogue()) {
  return short_labels(points_of(keys, table, tables), with);
}

/// First lines of the warnings.
inline std::vector<std::string> warnings_of(const Expansion& expansion) {
  std::vector<std::string> texts;
  for (const Diagnostic& warning : expansion.warnings) {
    CHECK(warning.severity == Severity::warning);
    const std::string text = to_text(warning);
    texts.push_back(text.substr(0, text.find('\n')));
  }
  return texts;
}

}  // namespace benchctl::test
