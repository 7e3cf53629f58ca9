// A fleet of 200 simulated cards in 25 stores: three are slow, each for a reason.
#include "report/fleet.hpp"
#include "observe/environment.hpp"
#include "store/store.hpp"
#include "support/paths.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

using namespace benchctl;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::size_t nodes = 25;
constexpr std::size_t cards_in_node = 8;
constexpr std::uint32_t processes = 2;

/// What is wrong with a card.
struct Fault {
  double slower = 0;       ///< as a share of the time
  double in_last_run = 0;  ///< the same, at the end alone
  double clock = 1980;
  double temperature = 0;  ///< degrees more
  std::string link = "32.0 GT/s PCIe x16";
};
using Faults = std::map<std::string, Fault>;  ///< by node and number: `node03/5`

class Simulation {
 public:
  Simulation(std::uint64_t seed, Faults faults, std::string product = "Card X")
      : random_(seed), faults_(std::move(faults)), product_(std::move(product)) {}

  /// The control runs of a node, at the begin and at the end.
  void write(Store& store, std::size_t node, std::size_t cards = cards_in_node) {
    std::normal_distribution<double> between_cards(0, 0.006);
    const std::string host = fmt::format("node{:02}", node);
    std::vector<Lane> lanes;
    std::vector<double> own;
    for (std::size_t card = 0; card < cards; ++card) {
      lanes.push_back(lane(host, card));
      own.push_back(between_cards(random_));
    }
    for (const bool last : {false, true}) write_run(store, host, lanes, own, last);
  }

 private:
  const Fault& fault(const std::string& host, std::size_t card) {
    return faults_[fmt::format("{}/{}", host, card)];
  }

  Lane lane(const std::string& host, std::size_t card) {
    Lane lane;
    lane.backend = "made";
    lane.device.id = std::to_string(card);
    lane.device.name = product_;
    lane.device.type = DeviceType::gpu;
    lane.device.physical = fmt::format("pci:0000:{:02}:00.0", card);
    lane.device.driver = "driver 1.2";
    lane.device.properties = {{"uuid", fmt::format("{}-{}-{}", product_, host, card)},
                              {"pcie_link_now", fault(host, card).link}};
    return lane;
  }

  void write_run(Store& store, const std::string& host, const std::vector<Lane>& lanes,
                 const std::vector<double>& own, bool last) {
    std::normal_distribution<double> between_processes(0, 0.003);
    NewRun fresh;
    fresh.name = "control";
    fresh.config_hash = last ? "last" : "first";
    fresh.config_text = "[experiment]\nname = \"control\"\n";
    Environment environment;
    environment.entries.push_back({"system.host", host, EnvironmentClass::information});
    fresh.environment = to_json_text(environment);
    fresh.lanes = lanes;
    const RunId run = store.create_run(fresh);
    std::vector<PointRow> rows;
    for (const Lane& lane : lanes) {
      PointRow& row = rows.emplace_back();
      row.ordinal = rows.size() - 1;
      row.point.workload = "peaks";
      row.point.variant = "read";
      row.point.backend = "made";
      row.point.device = lane.name();
      row.point.problem = {{"probe", std::string("dram_read")}};
    }
    const std::vector<PointId> ids = store.add_points(run, rows);
    for (std::size_t card = 0; card < ids.size(); ++card) {
      const Fault& wrong = fault(host, card);
      const double slower = wrong.slower + (last ? wrong.in_last_run : 0);
      PointResult result;
      Measurement& m = result.measurement.emplace();
      for (std::uint32_t process = 0; process < processes; ++process) {
        m.median_ns = 1e6 * (1 + slower) * std::exp(own[card] + between_processes(random_));
        SampleBlock block;
        block.ns.assign(3, m.median_ns);
        store.append_samples(ids[card], 0, 0, block, process);
      }
      m.n_samples = 3 * processes;
      m.ci_low_ns = 0.99 * m.median_ns;
      m.ci_high_ns = 1.01 * m.median_ns;
      std::normal_distribution<double> degrees(60, 2);
      result.resources = {{"sm_clock", wrong.clock}, {"temperature", degrees(random_) + wrong.temperature}};
      store.finish_point(ids[card], result);
    }
    store.finish_run(run, RunState::complete);
  }

  std::mt19937_64 random_;
  Faults faults_;
  std::string product_;
};

/// Stores of a fleet, in memory as long as it lives.
struct Machines {
  Machines(std::uint64_t seed, const Faults& faults) {
    Simulation simulation(seed, faults);
    for (std::size_t node = 0; node < nodes; ++node) {
      stores.push_back(Store::open(folder.path() / fmt::format("{}.db", node)));
      simulation.write(stores.back(), node);
    }
  }
  [[nodiscard]] Fleet fleet() const {
    std::vector<const Store*> open;
    for (const Store& store : stores) open.push_back(&store);
    return make_fleet(open, {});
  }
  test::TemporaryDirectory folder;
  std::vector<Store> stores;
};

std::set<std::string> standing_out(const FleetClass& group) {
  std::set<std::string> names;
  for (const FleetDevice& device : group.devices) {
    if (device.stands_out()) names.insert(device.node + '/' + device.lane.device.id);
  }
  return names;
}

std::string causes_of(const FleetClass& group, const std::string& name) {
  std::string text;
  for (const FleetDevice& device : group.devices) {
    if (device.node + '/' + device.lane.device.id != name) continue;
    for (const std::string& cause : device.causes) text += cause + '\n';
  }
  return text;
}

}  // namespace

TEST_CASE("of 200 cards the three that are slow are found with their reasons, and no other") {
  const Faults faults{{"node03/5", {.slower = 0.06, .clock = 1700}},
                      {"node11/0", {.in_last_run = 0.05, .temperature = 25}},
                      {"node24/7", {.slower = 0.1, .link = "32.0 GT/s PCIe x8"}}};
  const Machines machines(1, faults);
  const Fleet fleet = machines.fleet();
  CHECK(fleet.runs == 2 * nodes);
  REQUIRE(fleet.classes.size() == 1);
  const FleetClass& group = fleet.classes[0];
  CHECK(group.devices.size() == nodes * cards_in_node);
  CHECK(standing_out(group) == std::set<std::string>{"node03/5", "node11/0", "node24/7"});
  CHECK_THAT(causes_of(group, "node03/5"),
             ContainsSubstring("SM clock is lower: 1700 MHz, the fleet's median is 1980"));
  CHECK_THAT(causes_of(group, "node11/0"), ContainsSubstring("hotter"));
  CHECK_THAT(causes_of(group, "node24/7"), ContainsSubstring("PCIe link is x8, on most others x16"));
  const FleetFigure& worst = group.devices[0].figures.at(0);
  CHECK(worst.processes == 2 * processes);
  CHECK(std::abs(worst.ratio - 1.1) < 0.03);
  CHECK(worst.interval.low < worst.ratio);
  CHECK(worst.interval.high > worst.ratio);

  const std::string text = fleet_text(fleet, {});
  CHECK_THAT(text, ContainsSubstring("3 of 200 devices are beyond the scatter of the fleet"));
  const std::string markdown = fleet_text(fleet, {.markdown = true});
  CHECK_THAT(markdown, ContainsSubstring("| node24 | made:7 |"));
  for (const char* column : {"| node |", "| control problem |", "| vs fleet |", "| last / first run |"})
    CHECK_THAT(markdown, ContainsSubstring(column));
  const auto document = nlohmann::json::parse(fleet_json(fleet));
  CHECK(document.at("classes").at(0).at("devices").at(0).at("node") == "node24");
  CHECK(document.at("classes").at(0).at("devices").size() == 200);
}

TEST_CASE("of 20 fleets without a slow card few have a false alarm", "[full]") {
  std::size_t alarms = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    alarms += standing_out(Machines(seed, {}).fleet().classes.at(0)).empty() ? 0 : 1;
  }
  CHECK(alarms <= 3);  // 5 % are asked for: more than 3 of 20 come by chance once in 60 times
}

TEST_CASE("devices of two products are never held against each other, and few devices against nothing") {
  const test::TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "store.db");
  Simulation(1, {}).write(store, 1);
  Simulation(2, {{"node02/0", {.slower = 1}}}, "Card Y").write(store, 2, 4);
  const Fleet fleet = make_fleet({&store}, {});
  REQUIRE(fleet.classes.size() == 2);
  for (const FleetClass& group : fleet.classes) {
    CHECK(standing_out(group).empty());
    for (const FleetDevice& device : group.devices)
      CHECK(device.figures.at(0).ratio < (device.lane.device.name == "Card X" ? 1.05 : 2.1));
  }
  CHECK_THAT(fleet_text(fleet, {}), ContainsSubstring("too few devices to tell their own scatter (4)"));
}

TEST_CASE("a pruned store still tells which card is slow, and the same runs in two stores count once") {
  const test::TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "store.db");
  Simulation(3, {{"node01/2", {.slower = 0.2}}}).write(store, 1);
  Store both = Store::open(folder.path() / "both.db");
  static_cast<void>(both.merge(store));
  CHECK(make_fleet({&store, &both}, {}).runs == 2);
  CHECK(make_fleet({&store, &both}, {}).classes.at(0).devices.at(0).figures.at(0).processes ==
        2 * processes);
  std::vector<RunId> runs;
  for (const RunRow& run : store.runs()) runs.push_back(run.id);
  static_cast<void>(store.prune_samples(runs));
  const Fleet fleet = make_fleet({&store}, {});
  CHECK(standing_out(fleet.classes.at(0)) == std::set<std::string>{"node01/2"});
  CHECK(fleet.classes.at(0).devices.at(0).figures.at(0).processes == 2);
}
