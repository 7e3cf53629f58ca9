// Several configurations of one computation, tried: the quickest is kept, whatever was expected.
#include "worker/trial.hpp"
#include "support/catch.hpp"

using namespace benchctl;

namespace {

/// What happened to the contenders of a test, by name.
struct Log {
  std::map<std::string, int> samples;
  std::map<std::string, int> alive;
  std::vector<SampleRequest> requests;
  std::vector<std::string> order;
};

/// Takes as long as its script says, sample by sample; the last time stays.
class Scripted final : public Prepared {
 public:
  Scripted(Log& log, std::string name, std::vector<double> ns)
      : log_(log), name_(std::move(name)), ns_(std::move(ns)) {
    ++log_.alive[name_];
  }
  ~Scripted() override { --log_.alive[name_]; }

  [[nodiscard]] Resources resources() const override { return {{"registers", ns_.back()}}; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return {{"tiling", name_}};
  }
  double run(std::uint32_t set) override { return set == 0 ? ns_.back() : 0; }
  [[nodiscard]] SampleBlock sample(const SampleRequest& request) override {
    log_.requests.push_back(request);
    log_.order.push_back(name_);
    const auto index = static_cast<std::size_t>(log_.samples[name_]++);
    SampleBlock block;
    block.ns = {ns_[std::min(index, ns_.size() - 1)]};
    return block;
  }

 private:
  Log& log_;
  std::string name_;
  std::vector<double> ns_;
};

Contender way(Log& log, const std::string& name, const std::vector<double>& ns) {
  return {name, [&log, name, ns] { return std::make_unique<Scripted>(log, name, ns); }};
}

Contender failing(const std::string& name, FailureKind kind) {
  return {name, [name, kind]() -> std::unique_ptr<Prepared> { throw Failure(kind, name + " fails"); }};
}

}  // namespace

TEST_CASE("of several configurations the quickest is kept, with the times of all") {
  Log log;
  const auto chosen =
      quickest({way(log, "first", {5000}), way(log, "second", {4000}), way(log, "third", {4500})});
  CHECK(chosen.picked == 1);
  CHECK(chosen.prepared->notes().at("tiling") == "second");
  CHECK(chosen.times == "4.00 us second, 4.50 us third, 5.00 us first");
  CHECK(chosen.prepared->resources().at("registers") == 4000);
  // The others are gone, and what they held with them.
  CHECK(log.alive["first"] == 0);
  CHECK(log.alive["second"] == 1);
  CHECK(log.alive["third"] == 0);
  const int before = log.samples["second"];
  CHECK(chosen.prepared->sample({}).ns == std::vector<double>{4000});
  CHECK(log.samples["second"] == before + 1);
  CHECK(chosen.prepared->run(0) == 4000);
}

TEST_CASE("of those that take equally long the first is kept") {
  Log log;
  CHECK(quickest({way(log, "first", {300}), way(log, "second", {300})}).picked == 0);
}

TEST_CASE("a slow first sample, or one slow among many, decides nothing") {
  Log log;
  CHECK(quickest({way(log, "cold", {1400, 900, 900, 5000, 900}), way(log, "steady", {1000})}).picked == 0);
}

TEST_CASE(
    "configurations take turns, with equally many executions in a sample; one that is far behind gets no "
    "more") {
  Log log;
  static_cast<void>(
      quickest({way(log, "near", {20'000}), way(log, "nearer", {19'000}), way(log, "far", {40'000})}));
  CHECK(log.samples["far"] == 1);
  CHECK(log.samples["near"] == log.samples["nearer"]);
  CHECK(log.samples["near"] == 1 + 9);
  const std::vector<std::string> begin(log.order.begin(), log.order.begin() + 7);
  CHECK(begin == std::vector<std::string>{"near", "nearer", "far", "near", "nearer", "near", "nearer"});
  for (const SampleRequest& request : log.requests) {
    CHECK(request.batch == 6);  // 100 us by 19
    CHECK(request.count == 1);
    CHECK(request.cache == CacheMode::hot);
    CHECK(request.basis == Basis::device);
  }
}

TEST_CASE("short executions come in batches that a closed gate bears, long ones get few turns") {
  Log log;
  static_cast<void>(quickest({way(log, "short", {100}), way(log, "other", {100})}));
  CHECK(log.requests.front().batch == 16);
  Log long_ones;
  static_cast<void>(quickest({way(long_ones, "long", {3e7}), way(long_ones, "other", {3e7})}));
  CHECK(long_ones.requests.front().batch == 1);
  CHECK(long_ones.samples["long"] == 1 + 3);
}

TEST_CASE("a configuration that cannot be made or run is left out") {
  Log log;
  class Breaking final : public Prepared {
    [[nodiscard]] Resources resources() const override { return {}; }
    double run(std::uint32_t /*set*/) override { throw Failure(FailureKind::launch_error, "breaks"); }
    [[nodiscard]] SampleBlock sample(const SampleRequest& /*request*/) override { return {}; }
  };
  const auto chosen = quickest({failing("first", FailureKind::compile_error),
                                {"breaking", [] { return std::make_unique<Breaking>(); }},
                                way(log, "third", {700})});
  CHECK(chosen.picked == 2);
  // Nothing to compare with: nothing is sampled.
  CHECK(log.samples["third"] == 0);
  CHECK(chosen.times.empty());
}

TEST_CASE("where none can be made, the failure is that of the first") {
  try {
    static_cast<void>(quickest(
        {failing("first", FailureKind::out_of_memory), failing("second", FailureKind::compile_error)}));
    FAIL("nothing was thrown");
  } catch (const Failure& failure) {
    CHECK(failure.kind() == FailureKind::out_of_memory);
    CHECK_THAT(failure.what(), ContainsSubstring("first fails"));
  }
}

TEST_CASE("after a sticky failure nothing else is tried") {
  Log log;
  const auto sticky = []() -> std::unique_ptr<Prepared> {
    throw Failure(FailureKind::launch_error, "the device is lost", true);
  };
  try {
    static_cast<void>(quickest({{"first", sticky}, way(log, "second", {100})}));
    FAIL("nothing was thrown");
  } catch (const Failure& failure) {
    CHECK(failure.sticky());
    CHECK(log.samples.empty());
  }
}
