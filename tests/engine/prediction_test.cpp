// From stored roofs and counted traffic to a predicted time.
#include "engine/prediction.hpp"
#include "store/fixtures.hpp"
#include "support/catch.hpp"
#include "workloads/workload.hpp"

using namespace benchctl;

namespace {

Lane gpu(const std::string& driver = "1.0") {
  Lane lane;
  lane.backend = "gpu";
  lane.device.id = "0";
  lane.device.name = "card";
  lane.device.driver = driver;
  lane.device.last_level_cache_bytes = 1 << 20;
  return lane;
}

/// With one probe of its own.
BackendEntry backend() {
  BackendEntry entry;
  entry.name = "gpu";
  entry.variants.emplace_back();
  entry.variants[0].workload = "peaks";
  entry.variants[0].name = "probe";
  return entry;
}

std::vector<RoofRow> roofs_of(std::span<const MeasuredPoint> peaks, const Lane& lane) {
  return benchctl::roofs_of(peaks, lane, backend());
}

MeasuredPoint peak(const std::string& probe, const Cost& cost, double median_ns, std::int64_t run,
                   const Lane& lane = gpu()) {
  MeasuredPoint measured;
  measured.lane = lane;
  measured.point.row.run = RunId{run};
  measured.point.row.point.workload = "peaks";
  measured.point.row.point.variant = "probe";
  measured.point.row.point.problem = {{"probe", probe}};
  measured.point.row.cost = cost;
  measured.point.measurement = Measurement{};
  measured.point.measurement->median_ns = median_ns;
  return measured;
}

Result vector_add(std::int64_t n, double median_ns) {
  Result stored;
  stored.row.point.workload = "vector_add";
  stored.row.point.problem = {{"n", n}, {"dtype", std::string("f32")}, {"values", std::string("uniform")}};
  stored.row.cost = Workloads::built_in().find("vector_add")->cost(stored.row.point.problem);
  stored.measurement = Measurement{};
  stored.measurement->median_ns = median_ns;
  return stored;
}

Result predicted(Result stored, const predict::Roofs& roofs, std::size_t launches = 1) {
  const Workload& workload = *Workloads::built_in().find(stored.row.point.workload);
  add_prediction(stored, workload, {}, gpu().device, launches, roofs);
  return stored;
}

}  // namespace

TEST_CASE("the roof of a probe is the best rate of the newest run on the same device") {
  std::vector<MeasuredPoint> peaks{
      peak("dram_copy", {.bytes_read = 500, .bytes_written = 500}, 1, 2),
      peak("dram_copy", {.bytes_read = 500, .bytes_written = 500}, 0.5, 2),
      peak("dram_copy", {.bytes_read = 500, .bytes_written = 500}, 0.1, 1),  // faster, but of an older run
      peak("fma_f32", {.flops = 3000, .bytes_read = 7}, 1, 1),
      peak("cache_read", {.bytes_read = 1}, 1, 2, gpu("2.0")),  // another driver
      peak("launch", {.accesses = 1}, 2000, 2),
      peak("launch", {.accesses = 1}, 1, 2)};
  peaks.back().point.row.point.measure.basis = Basis::host_sync;
  peaks[5].point.measurement->gated = true;
  peaks.push_back(peak("launch", {.accesses = 1}, 7000, 2));  // not gated
  peaks.push_back(peak("dram_copy", {.bytes_read = 9000}, 1, 2));
  peaks.back().point.row.point.measure.basis = Basis::host_sync;  // sees more than the device does
  const auto roofs = roofs_of(peaks, gpu());
  REQUIRE(roofs.size() == 5);
  CHECK(roofs[2].probe == "launch");
  CHECK(roofs[2].per_second == Approx(5e5));
  CHECK(roofs[3].probe == "launch_host_sync");
  CHECK(roofs[3].per_second == Approx(1e9));
  CHECK(roofs[4].probe == "launch_ungated");
  CHECK(roofs[4].per_second == Approx(1e9 / 7000));
  CHECK(roofs[0].probe == "dram_copy");
  CHECK(roofs[0].lane == "gpu:0");
  CHECK(roofs[0].per_second == Approx(2000e9));
  CHECK(roofs[1].probe == "fma_f32");
  CHECK(roofs[1].per_second == Approx(3000e9));
  CHECK(roofs_of(peaks, gpu("3.0")).empty());
}

TEST_CASE("a kernel of a config sets no roof, in its own run or a later one") {
  std::vector<MeasuredPoint> peaks(2, peak("fma_f32", {.flops = 3000}, 1, 1));
  peaks[1].point.row.point.variant = "mine";
  peaks[1].point.measurement->median_ns = 0.1;
  BackendEntry entry = backend();
  const auto roof = [&] { return benchctl::roofs_of(peaks, gpu(), entry).at(0).per_second; };
  CHECK(roof() == Approx(3000e9));  // a run that does not know the kernel
  entry.variants.push_back(entry.variants[0]);
  entry.variants[1].name = "mine";
  CHECK(roof() == Approx(30000e9));  // the backend's own
  entry.own_folders[{"peaks", "mine"}] = "folder";
  CHECK(roof() == Approx(3000e9));
}

TEST_CASE("a roof is replaced by a measurement of its kind alone") {
  const auto copy = [](std::int64_t bytes, double median_ns, std::int64_t run) {
    MeasuredPoint measured = peak("dram_copy", {.bytes_read = 1000}, median_ns, run);
    measured.point.row.point.problem.set("bytes", bytes);
    return measured;
  };
  constexpr std::int64_t large = 1 << 28;
  constexpr std::int64_t larger = 1 << 30;
  const auto roof = [](std::vector<MeasuredPoint> peaks) {
    const auto roofs = roofs_of(peaks, gpu());
    return roofs.empty() ? 0 : roofs[0].per_second;
  };
  // The newest run comes first. It measured one size, and says nothing of the other.
  CHECK(roof({copy(large, 4, 2), copy(large, 3, 1), copy(larger, 2, 1)}) == Approx(500e9));
  CHECK(roof({copy(large, 4, 2), copy(larger, 5, 2), copy(larger, 2, 1)}) == Approx(250e9));
  MeasuredPoint graph = copy(large, 4, 2);
  graph.point.row.point.measure.launch = LaunchMode::graph;
  CHECK(roof({graph, copy(large, 3, 1)}) == Approx(1000.0 / 3 * 1e9));
}

TEST_CASE("a probe of the memory fits no cache, one of the cache fits, and both find caches as they are") {
  const auto is_roof = [](const std::string& probe, std::int64_t bytes, CacheMode cache = CacheMode::hot,
                          const Lane& lane = gpu()) {
    MeasuredPoint measured = peak(probe, {.bytes_read = 1000}, 1, 1, lane);
    measured.point.row.point.problem.set("bytes", bytes);
    measured.point.row.point.measure.cache = cache;
    return !roofs_of({&measured, 1}, lane).empty();
  };
  CHECK(is_roof("dram_read", 2 << 20));
  CHECK_FALSE(is_roof("dram_read", 1 << 20));
  CHECK(is_roof("cache_read", 1 << 20));
  CHECK_FALSE(is_roof("cache_read", 2 << 20));
  CHECK(is_roof("shared", 2 << 20));
  CHECK_FALSE(is_roof("dram_read", 2 << 20, CacheMode::cold));
  Lane unknown = gpu();
  unknown.device.last_level_cache_bytes = 0;
  CHECK(is_roof("dram_read", 1 << 20, CacheMode::hot, unknown));
}

TEST_CASE("a time is predicted from what was counted, the share of the roof from what must be moved") {
  Result stored = vector_add(1 << 20, 20'000);  // 12 MiB, beyond the cache
  stored.resources = {{"dram_bytes_read", 2.0 * 8 * (1 << 20)}, {"dram_bytes_written", 4.0 * (1 << 20)}};
  const predict::Roofs roofs{{"dram_copy", 1e12}, {"cache_read", 4e12}};
  const Result prediction = predicted(stored, roofs);
  CHECK(prediction.resources.at("predicted_ns") == Approx(20.0 * (1 << 20) / 1000));
  CHECK(prediction.resources.at("roof_fraction") == Approx(12.0 * (1 << 20) / 1000 / 20'000));
  CHECK(prediction.note("predicted_by") == "dram_copy");
}

TEST_CASE("the share of the roof of arithmetic is that of the variant's own path and type") {
  VariantInfo variant;
  const predict::Roofs roofs{{"fma_f32", 2e12}, {"fma_f64", 1e12}, {"mma_bf16", 8e12}};
  const auto share = [&](const std::string& dtype) {
    return share_of_compute_roof({{"dtype", dtype}}, variant, 3e6, 1000, roofs);
  };
  CHECK(share("f32") == Approx(1.5));
  CHECK(share("f64") == Approx(3));
  CHECK(share("i32") == 0);
  variant.compute_path = "mma_bf16";
  CHECK(share("f32") == Approx(0.375));
}

TEST_CASE("what fits into the last cache runs under its roof, unless it was evicted") {
  Result stored = vector_add(1 << 10, 100);
  const predict::Roofs roofs{{"dram_copy", 1e12}, {"cache_read", 4e12}};
  CHECK(predicted(stored, roofs).note("predicted_by") == "cache_read");
  stored.row.point.measure.cache = CacheMode::cold;
  CHECK(predicted(stored, roofs).note("predicted_by") == "dram_copy");
}

TEST_CASE("a roof that was not measured is named, and copies over a bus are not predicted") {
  Result stored = vector_add(1 << 20, 100);
  const Result prediction = predicted(stored, {{"fma_f32", 1.0}});
  CHECK(prediction.resources.empty());
  CHECK(prediction.note("predicted_by").empty());
  CHECK(prediction.note("roof_missing") == "dram_copy");
  // Of few operations none binds; of many, memory alone does not tell.
  const predict::Roofs memory{{"dram_copy", 1e12}};
  CHECK(predicted(stored, memory).note("predicted_by") == "dram_copy");
  stored.row.cost.flops = 1e9;
  CHECK(predicted(stored, memory).resources.empty());
  CHECK(predicted(stored, memory).note("roof_missing") == "fma_f32");
  stored.row.point.measure.basis = Basis::end_to_end;
  CHECK(predicted(stored, {{"dram_copy", 1e12}}).resources.empty());
}

TEST_CASE("a launch counts for points that were measured as it was") {
  Result stored = vector_add(1 << 10, 4600);
  const double bytes_ns = 12.0 * (1 << 10) / 4000;
  // Of a probe that the host had yet to ask for: 7.1 us say nothing of a gated kernel of 4.6 us.
  predict::Roofs roofs{{"cache_read", 4e12}, {"launch_ungated", 1e9 / 7100}};
  stored.measurement->gated = true;
  const auto ns = [&] { return predicted(stored, roofs, 2).resources.at("predicted_ns"); };
  CHECK(ns() == Approx(bytes_ns));
  roofs["launch"] = 1e9 / 1500;
  CHECK(ns() == Approx(3000 + bytes_ns));
  stored.measurement->gated = false;
  CHECK(ns() == Approx(14'200));
  roofs["launch_host_sync"] = 1e9 / 9000;
  stored.row.point.measure.basis = Basis::host_sync;
  CHECK(ns() == Approx(18'000));
  CHECK(predicted(stored, roofs, 2).note("predicted_by") == "launch_host_sync");
}

TEST_CASE("nothing is predicted for what goes to the host's memory and back") {
  Result stored;
  stored.row.point.workload = "transfer";
  const Workload& transfer = *Workloads::built_in().find("transfer");
  stored.row.point.problem = complete_parameters(transfer, {});
  stored.row.cost = transfer.cost(stored.row.point.problem);
  stored.measurement = Measurement{};
  stored.measurement->median_ns = 100;
  CHECK(predicted(stored, {{"dram_copy", 1e12}, {"dram_read", 1e12}}).resources.empty());
}

TEST_CASE("variants without patterns have no counted traffic") {
  CHECK(counted_traffic({}, roof_workload(), {}, gpu().device).empty());
}

TEST_CASE("roofs of self-tests count for themselves alone") {
  const test::TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "store.db");
  const auto roof_run = [&](const std::string& name, double median_ns) {
    NewRun run = test::a_run(name);
    run.name = name;
    run.lanes = {gpu()};
    const RunId id = store.create_run(run);
    PointRow row = test::a_point(0);
    row.point.workload = "peaks";
    row.point.backend = "gpu";
    row.point.variant = "probe";
    row.point.device = "gpu:0";
    row.point.problem = {{"probe", std::string("dram_read")}};
    row.point.measure = {};
    row.cost = {0, 1000, 0};
    Result result;
    result.row.point.status = Status::ok;
    result.measurement = Measurement{};
    result.measurement->median_ns = median_ns;
    store.finish_point(store.add_points(id, std::vector{row}).at(0), result);
    return id;
  };
  const LaneTable lanes{{"gpu", {gpu()}, {}}};
  roof_run("roofs", 10);
  const RunId selftest = roof_run("selftest_caches", 1);
  const RunId own = store.create_run(test::a_run("own"));
  const auto roof = [&](RunId run, Roofs roofs) {
    const Catalogue catalogue{{backend()}, {}, {}};
    const RunRoofs found(store, run, catalogue, lanes, roofs);
    return found.of("gpu:0") == nullptr ? 0 : found.of("gpu:0")->at("dram_read");
  };
  CHECK(roof(own, Roofs::cached) == Approx(1e11));
  CHECK(roof(own, Roofs::run) == 0);
  CHECK(roof(selftest, Roofs::run) == Approx(1e12));

  const Catalogue catalogue{{backend()}, {}, {}};
  RunRoofs measured(store, own, catalogue, lanes, Roofs::cached);
  Result peak = store.results(selftest).at(0);
  peak.row.run = own;
  for (const double median_ns : {20, 40}) {  // measured again: the newest counts, not the best
    peak.measurement->median_ns = median_ns;
    measured.add(std::vector<const Result*>{&peak});
    CHECK(measured.of("gpu:0")->at("dram_read") == Approx(1e12 / median_ns));
    CHECK(store.roofs(own).at(0).per_second == Approx(1e12 / median_ns));
  }
}
