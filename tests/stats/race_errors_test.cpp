// How often a race is wrong, and what it finds: seeded tables of competitors whose true times are known.
#include "stats/race.hpp"
#include "support/catch.hpp"
#include "support/series.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <numeric>

using namespace benchctl::stats;
using benchctl::test::Random;

namespace {

/// What disturbs the times, on a logarithmic scale, slot after slot: the slots of a round belong to
/// competitors in an order that is drawn.
struct NoiseKind {
  std::string name;
  double (*draw)(Random& random);
  double stay =
      0;  ///< slots that a state of the machine lasts in the mean: of a core that is shared in 3 of 10
};

double two_percent(Random& random) { return 0.02 * random.normal(); }
double fifth(Random& random) { return 0.2 * random.normal(); }
/// Student's t with three degrees of freedom.
double heavy(Random& random) {
  const double z = random.normal();
  double squares = 0;
  for (int i = 0; i < 3; ++i) squares += std::pow(random.normal(), 2);
  return 0.05 * z / std::sqrt(squares / 3);
}
/// A core that is shared in so many samples.
double shared(Random& random, double share) { return random.uniform() < share ? std::log(2) : 0; }
double modes(Random& random) { return shared(random, 0.4) + two_percent(random); }
double bursts(Random& random) { return shared(random, 0.1) + two_percent(random); }

const std::vector<NoiseKind>& noise_kinds() {
  static const std::vector<NoiseKind> all{{"2 %", two_percent, 0},
                                          {"20 %", fifth, 0},
                                          {"heavy tails", heavy, 0},
                                          {"twice as long in 2 of 5", modes, 0},
                                          {"twice as long in 1 of 10", bursts, 0},
                                          {"twice as long for 5 slots at a time", two_percent, 5},
                                          {"twice as long for 50", two_percent, 50}};
  return all;
}

/// Competitors of these true times that take turns.
class Table {
 public:
  Table(const NoiseKind& noise, std::vector<double> times, std::uint64_t seed)
      : noise_(noise), times_(std::move(times)), random_(seed), rows_(times_.size()), open_(times_.size()) {
    std::iota(open_.begin(), open_.end(), std::size_t{0});
  }

  void sample_until(std::uint32_t rounds) {
    for (; rounds_ < rounds; ++rounds_) {
      std::vector<std::size_t> order = open_;
      for (std::size_t left = order.size(); left > 1; --left) {
        std::swap(order[left - 1],
                  order[static_cast<std::size_t>(random_.uniform() * static_cast<double>(left))]);
      }
      for (const std::size_t row : order)
        rows_[row][round_key(0, rounds_)] = times_[row] * std::exp(disturbance());
    }
  }

  /// Who is called slower among the open ones; `leave`: and takes no further part.
  std::vector<std::size_t> slower(double confidence, bool leave) {
    std::vector<const RoundValues*> rows;
    for (const std::size_t row : open_) rows.push_back(&rows_[row]);
    const Race found = race(rows, pooled_scatter(rows), confidence);
    std::vector<std::size_t> called;
    std::vector<std::size_t> stay;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      (found.ratios[i].interval.low > 1 ? called : stay).push_back(open_[i]);
    }
    if (leave) open_ = stay;
    return called;
  }
  [[nodiscard]] std::size_t open() const { return open_.size(); }

 private:
  double disturbance() {
    if (noise_.stay > 0 && random_.uniform() < 1 / noise_.stay) state_ = shared(random_, 0.3);
    return state_ + noise_.draw(random_);
  }

  const NoiseKind& noise_;
  std::vector<double> times_;
  Random random_;
  std::vector<RoundValues> rows_;
  std::vector<std::size_t> open_;
  std::uint32_t rounds_ = 0;
  double state_ = 0;
};

std::uint64_t seed_of(std::uint64_t table, std::size_t rows) { return table * 7919 + rows; }

/// Per cent of tables of equal competitors in which some are called slower, by number of rounds.
using ByRounds = std::map<std::uint32_t, double>;

ByRounds wrong_tables(const NoiseKind& noise, std::size_t rows, std::uint64_t tables) {
  ByRounds wrong;
  for (std::uint64_t i = 0; i < tables; ++i) {
    Table table(noise, std::vector<double>(rows, 1.0), seed_of(i, rows));
    for (const std::uint32_t rounds : {3U, 8U, 20U, 60U}) {
      table.sample_until(rounds);
      wrong[rounds] +=
          table.slower(confidence_of_race, false).empty() ? 0 : 100.0 / static_cast<double>(tables);
    }
  }
  return wrong;
}

constexpr std::array<std::uint32_t, 9> looks{3, 4, 6, 9, 14, 21, 32, 48, 72};

/// The same when one looks again and again, whoever is called slower leaves, and a race among the rest ends
/// it.
double wrong_in_any_look(const NoiseKind& noise, std::size_t rows, std::uint64_t tables) {
  double wrong = 0;
  for (std::uint64_t i = 0; i < tables; ++i) {
    Table table(noise, std::vector<double>(rows, 1.0), seed_of(i, rows));
    bool right = true;
    for (const std::uint32_t look : looks) {
      table.sample_until(look);
      right = table.slower(confidence_of_leaving, true).empty() && right;
    }
    right = table.slower(confidence_of_race, false).empty() && right;
    wrong += right ? 0 : 100.0 / static_cast<double>(tables);
  }
  return wrong;
}

/// Per cent of competitors, each this much slower than the first, that are called slower, by number of
/// rounds.
ByRounds found(const NoiseKind& noise, std::size_t rows, double slowdown, std::uint64_t tables) {
  ByRounds share;
  std::vector<double> times(rows, slowdown);
  times.front() = 1;
  for (std::uint64_t i = 0; i < tables; ++i) {
    Table table(noise, times, seed_of(i, rows));
    for (const std::uint32_t rounds : {8U, 14U, 20U, 60U}) {
      table.sample_until(rounds);
      share[rounds] += 100.0 * static_cast<double>(table.slower(confidence_of_race, false).size()) /
                       static_cast<double>(tables * (rows - 1));
    }
  }
  return share;
}

const NoiseKind& kind(std::size_t place) { return noise_kinds().at(place); }

}  // namespace

TEST_CASE("of equal competitors some are called slower in at most 5 % of tables") {
  for (const NoiseKind& noise : noise_kinds()) {
    for (const std::size_t rows : {std::size_t{6}, std::size_t{10}, std::size_t{20}}) {
      for (const auto& [rounds, wrong] : wrong_tables(noise, rows, 60)) {
        CAPTURE(noise.name, rows, rounds, wrong);
        CHECK(wrong <= 5);
      }
    }
  }
}

TEST_CASE("of equal competitors some leave in at most 5 % of tables, however often one looks") {
  for (const NoiseKind& noise : noise_kinds()) {
    for (const std::size_t rows : {std::size_t{2}, std::size_t{6}, std::size_t{20}}) {
      const double wrong = wrong_in_any_look(noise, rows, 60);
      CAPTURE(noise.name, rows, wrong);
      CHECK(wrong <= 5);
    }
  }
}

/// Per cent of tables of so many rows in so many processes in which a row is called slower. A process moves
/// each row for good, every third twice as far; all but the first take `slowdown` times as long.
double called_over_processes(std::size_t rows, std::uint32_t processes, double slowdown, bool every) {
  constexpr int tables = 300;
  int called = 0;
  for (int i = 0; i < tables; ++i) {
    Random random(seed_of(static_cast<std::uint64_t>(i), rows * 100 + processes));
    std::vector<RoundValues> values(rows);
    for (std::uint32_t process = 0; process < processes; ++process) {
      const double common = 0.05 * random.normal();
      for (std::size_t row = 0; row < rows; ++row) {
        const double own = (row % 3 == 1 ? 0.01 : 0.005) * random.normal();
        const double level = common + own + (row == 0 ? 0 : std::log(slowdown));
        for (std::uint32_t round = 0; round < 9; ++round) {
          values[row][round_key(process, round)] = std::exp(level + two_percent(random) / 10);
        }
      }
    }
    std::vector<const RoundValues*> pointers;
    for (const RoundValues& row : values) pointers.push_back(&row);
    std::size_t slower = 0;
    for (const RatioEstimate& ratio : race(pointers, pooled_scatter(pointers)).ratios) {
      slower += ratio.interval.low > 1 ? 1 : 0;
    }
    called += (every ? slower == rows - 1 : slower > 0) ? 1 : 0;
  }
  return 100.0 * called / tables;
}

TEST_CASE(
    "over processes, equal competitors are seldom told apart, and few processes find what many rows show") {
  for (const std::uint32_t processes : {2U, 3U, 5U}) {
    for (const std::size_t rows : {std::size_t{2}, std::size_t{6}, std::size_t{20}}) {
      const double wrong = called_over_processes(rows, processes, 1, false);
      CAPTURE(processes, rows, wrong);
      CHECK(wrong <= 5);
    }
  }
  CHECK(called_over_processes(6, 3, 1.2, true) >= 90);
  CHECK(called_over_processes(6, 5, 1.1, true) >= 90);
}

TEST_CASE("a planted slowdown is found") {
  // Samples that scatter by 2 %: 30 % after 8 rounds, 10 % after 14, 5 % after 20, 2 % after 60.
  CHECK(found(kind(0), 6, 1.3, 50)[8] == 100);
  CHECK(found(kind(0), 6, 1.1, 50)[14] == 100);
  CHECK(found(kind(0), 6, 1.05, 50)[20] >= 95);
  CHECK(found(kind(0), 6, 1.02, 50)[60] >= 80);
  // A state that lasts disturbs those of a round alike.
  CHECK(found(kind(6), 6, 1.05, 50)[20] >= 90);
  // Never the fastest itself.
  for (std::uint64_t i = 0; i < 50; ++i) {
    Table table(kind(4), {1, 1.1, 1.1, 1.3}, seed_of(i, 4));
    table.sample_until(20);
    for (const std::size_t row : table.slower(confidence_of_race, false)) CHECK(row != 0);
  }
}

TEST_CASE("a look lets go of what is far behind after three rounds") {
  Table table(kind(0), {1, 1.01, 3, 5, 9, 30}, 1);
  table.sample_until(3);
  CHECK(table.slower(confidence_of_leaving, true) == std::vector<std::size_t>{2, 3, 4, 5});
  CHECK(table.open() == 2);
}

TEST_CASE("how often races are wrong, and what they find", "[full]") {
  constexpr std::uint64_t tables = 2000;
  fmt::print("equal competitors, one called slower: per cent of tables of 2, 6, 10 and 20\n");
  for (const NoiseKind& noise : noise_kinds()) {
    std::vector<std::string> cells(5);
    for (const std::size_t rows : {std::size_t{2}, std::size_t{6}, std::size_t{10}, std::size_t{20}}) {
      std::vector<double> wrong;
      for (const auto& [rounds, share] : wrong_tables(noise, rows, tables)) wrong.push_back(share);
      wrong.push_back(wrong_in_any_look(noise, rows, tables));
      for (std::size_t i = 0; i < cells.size(); ++i) {
        CHECK(wrong.at(i) <= 5);
        cells[i] += fmt::format("{}{:.1f}", cells[i].empty() ? "" : ", ", wrong[i]);
      }
    }
    fmt::print("| {} | {} |\n", noise.name, fmt::join(cells, " | "));
  }
  fmt::print("five that are slower by 2, 5, 10 and 30 %: per cent found after 8, 14, 20 and 60 rounds\n");
  for (const NoiseKind& noise : noise_kinds()) {
    fmt::print("| {}", noise.name);
    for (const double slowdown : {1.02, 1.05, 1.1, 1.3}) {
      std::vector<std::string> shares;
      for (const auto& [rounds, share] : found(noise, 6, slowdown, tables / 10)) {
        shares.push_back(fmt::format("{:.0f}", share));
      }
      fmt::print(" | {}", fmt::join(shares, ", "));
    }
    fmt::print(" |\n");
  }
}
