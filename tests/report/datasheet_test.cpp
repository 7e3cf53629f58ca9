// Shares of what a device's vendor states.
#include "report/datasheet_share.hpp"
#include "report/export.hpp"
#include "report/stored_run.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// A copy of 1 GB each way in 1 ms.
Result a_copy() {
  Result stored = with_roof(measured("gpu:0", "copy", 1e6, 1), 0.5);
  stored.row.cost = {0, 1e9, 1e9};
  return stored;
}

Result a_product(const std::string& path) {
  Result stored = with_roof(measured("gpu:0", "tiled", 1e6, 1), 0.5);
  stored.row.cost = {30e9, 1e6, 1e6};
  if (!path.empty()) stored.notes["compute_path"] = path;
  return stored;
}

const DatasheetDevice card{{{"dram", 4e12}, {"fma_f32", 60e12}}, 50'000'000};

double share(const Result& stored, const DatasheetDevice& device = card,
             const std::map<std::string, double>& roofs = {}) {
  return datasheet_share(stored, device, roofs);
}

}  // namespace

TEST_CASE("peaks come from what the backend tells of the device") {
  DeviceInfo device;
  CHECK(datasheet_peaks(device).empty());
  device.properties = {{"peak_dram_per_s", "4.8e12"},
                       {"peak_fma_f32_per_s", "66908160000000"},
                       {"peak_fma_f64_per_s", "unknown"},
                       {"peak_per_s", "1"},
                       {"peak_power", "700"}};
  CHECK(datasheet_peaks(device) == DatasheetPeaks{{"dram", 4.8e12}, {"fma_f32", 66908160000000.0}});
}

TEST_CASE("a record without peaks may have the memory's clock and width") {
  DeviceInfo device;
  device.properties = {{"memory_clock_max_khz", "3201000"}, {"memory_bus_bits", "6016"}};
  CHECK(datasheet_peaks(device).at("dram") == Approx(4.814e12).epsilon(0.001));  // an H200: 4.8 TB/s
  device.properties["memory_bus_bits"] = "0";
  CHECK(datasheet_peaks(device).empty());
  device.properties = {
      {"peak_dram_per_s", "1e12"}, {"memory_clock_max_khz", "3201000"}, {"memory_bus_bits", "6016"}};
  CHECK(datasheet_peaks(device).at("dram") == 1e12);
}

TEST_CASE("lanes of one piece of hardware share its figures") {
  Lane one = lane_of("a:0", "Card");
  Lane other = lane_of("b:0", "Card");
  one.device.last_level_cache_bytes = 4;
  other.device.last_level_cache_bytes = 50;
  other.device.properties["peak_dram_per_s"] = "2e12";
  const auto seen = [&] { return datasheet_device(one, std::vector<Lane>{one, other}); };
  CHECK(seen().peaks.empty());  // neither tells where it sits
  one.device.physical = other.device.physical = "pci:1";
  CHECK(seen().peaks == DatasheetPeaks{{"dram", 2e12}});
  CHECK(seen().last_level_cache_bytes == 50);
  one.device.properties["peak_dram_per_s"] = "1e12";
  CHECK(seen().peaks == DatasheetPeaks{{"dram", 1e12}});  // its own come first
  one.device.properties.clear();
  other.device.physical = "pci:2";
  CHECK(seen().peaks.empty());
}

TEST_CASE("the share is the least time at the peaks over the median") {
  CHECK(share(a_copy()) == Approx(0.5));
  CHECK(share(a_product("fma_f32")) == Approx(0.5));
  Result unstable = a_copy();
  unstable.row.point.status = Status::unstable;
  CHECK(share(unstable) == Approx(0.5));
}

TEST_CASE("without what decides there is no share") {
  const auto none = [](double value) { return std::isnan(value); };
  CHECK(none(share(a_copy(), {})));
  CHECK(none(share(a_product(""))));
  CHECK(none(share(a_product("mma_tf32"))));
  CHECK(none(share(a_product("fma_f32"), {{{"fma_f32", 60e12}}, 0})));  // memory may be the longer part
  Result transfer = a_copy();
  transfer.resources.clear();
  CHECK(none(share(transfer)));
  CHECK(none(share(untimed("gpu:0", "copy", Status::crashed, ""))));
}

TEST_CASE("memory decides where even the slowest roof of arithmetic is quicker") {
  Result sum = a_copy();
  sum.row.cost = {1e9, 2e9, 0};
  CHECK(std::isnan(share(sum)));
  CHECK(std::isnan(share(sum, card, {{"dram_read", 1e9}})));
  CHECK(share(sum, card, {{"fma_f32", 60e12}, {"fma_f64", 30e12}}) == Approx(0.5));
  CHECK(std::isnan(share(sum, card, {{"fma_f32", 60e12}, {"fma_f64", 1e12}})));
}

TEST_CASE("a datasheet says nothing of caches") {
  Result small = a_copy();
  small.row.cost = {0, 1e6, 1e6};
  CHECK(std::isnan(share(small)));
  small.row.point.measure.cache = CacheMode::cold;
  CHECK(share(small) == Approx(0.5e-3));
  small.row.point.measure.cache = CacheMode::hot;
  small.resources["device_bytes"] = 60e6;
  CHECK(share(small) == Approx(0.5e-3));
}

TEST_CASE_METHOD(OneStore, "reports show the share, and which devices have no figures") {
  RunWanted wanted;
  wanted.lanes = {lane_of("gpu:0", "Card"), lane_of("cpu:0", "Processor", DeviceType::cpu)};
  wanted.lanes[0].device.properties["peak_dram_per_s"] = "4e12";
  wanted.points = {a_copy(), a_copy()};
  wanted.points[1].row.point.backend = "cpu";
  wanted.points[1].row.point.device = "cpu:0";
  const RunId run = store_run(store, wanted);
  const Report report = make_report(std::vector<ReportSource>{{&store, run}});
  const std::string text = report_markdown(report);
  CHECK_THAT(text, HasAll({"| of roof | of datasheet |", "| 50 % | 50 % |",
                           "No figures of a datasheet are known for cpu:0: its backend tells none."}));
  const auto document = nlohmann::json::parse(report_json(report, {}));
  CHECK(document.at("platforms").at(0).at("datasheet").at("dram") == 4e12);
  CHECK(document.at("platforms").at(1).at("datasheet").empty());
  CHECK(document.at("rows").at(0).at("datasheet_fraction").get<double>() == Approx(0.5));
  CHECK(document.at("rows").at(1).at("datasheet_fraction").is_null());
}
