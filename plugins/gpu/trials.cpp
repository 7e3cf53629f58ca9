#include "gpu/trials.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <limits>
#include <utility>

namespace benchctl::gpu {

namespace {

using Notes = std::map<std::string, std::string, std::less<>>;

/// What a sample should take at least, so that a timer's steps are small beside it, and executions of one
/// at most: more could not be queued behind a closed gate.
constexpr double least_sample_ns = 100'000;
constexpr double most_executions = 16;
/// Rounds, fewer where a sample takes long.
constexpr std::uint32_t most_rounds = 9;
constexpr std::uint32_t least_rounds = 3;
constexpr double most_rounds_ns = 5e7;
/// Times the quickest, after the first round: not worth further ones.
constexpr double hopeless = 1.5;

struct Contender {
  std::size_t number;
  std::unique_ptr<Prepared> prepared;
  double first_ns = 0;  ///< of a sample that warms up
  std::vector<double> ns;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// "12.34 us"
std::string to_text(double ns) {
  const auto hundredths = static_cast<std::uint64_t>(std::llround(ns / 10));
  const std::string fraction = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + (fraction.size() == 1 ? ".0" : ".") + fraction + " us";
}

/// A way with notes on how it was chosen.
class Chosen final : public Prepared {
 public:
  Chosen(std::unique_ptr<Prepared> prepared, Notes notes)
      : prepared_(std::move(prepared)), notes_(std::move(notes)) {}

  [[nodiscard]] Resources resources() const override { return prepared_->resources(); }
  [[nodiscard]] Notes notes() const override {
    Notes all = prepared_->notes();
    all.insert(notes_.begin(), notes_.end());
    return all;
  }
  double run(std::uint32_t set) override { return prepared_->run(set); }
  void reset_scratch() override { prepared_->reset_scratch(); }
  [[nodiscard]] SampleBlock sample(const SampleRequest& request) override {
    return prepared_->sample(request);
  }

 private:
  std::unique_ptr<Prepared> prepared_;
  Notes notes_;
};

/// Those that can be made and run, each executed once.
std::vector<Contender> make(const std::vector<Way>& ways) {
  std::vector<Contender> contenders;
  std::exception_ptr first_failure;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    try {
      std::unique_ptr<Prepared> prepared = ways[i].make();
      prepared->run(0);
      contenders.push_back({i, std::move(prepared), 0, {}});
    } catch (const Failure&) {  // told only if no way is left
      if (first_failure == nullptr) first_failure = std::current_exception();
    }
  }
  if (contenders.empty()) std::rethrow_exception(first_failure);
  return contenders;
}

double time_of_sample(Contender& contender, std::uint32_t batch) {
  SampleRequest request;
  request.batch = batch;
  return median(contender.prepared->sample(request).ns);
}

/// Equally many executions make a sample of each, so that what a sample costs besides is shared alike. Ways
/// that are far behind in the first turn get no other.
void take_turns(std::vector<Contender>& contenders) {
  double run_ns = std::numeric_limits<double>::infinity();
  for (const Contender& contender : contenders) run_ns = std::min(run_ns, contender.prepared->run(0));
  const auto batch =
      static_cast<std::uint32_t>(std::clamp(std::ceil(least_sample_ns / run_ns), 1.0, most_executions));
  for (Contender& contender : contenders) contender.first_ns = time_of_sample(contender, batch);
  const double least = std::ranges::min_element(contenders, {}, &Contender::first_ns)->first_ns;
  std::vector<Contender*> near;
  for (Contender& contender : contenders) {
    if (contender.first_ns <= hopeless * least) near.push_back(&contender);
  }
  const double round_ns = least * batch * static_cast<double>(near.size());
  const auto rounds = static_cast<std::uint32_t>(
      std::clamp(most_rounds_ns / round_ns, double{least_rounds}, double{most_rounds}));
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (Contender* contender : near) contender->ns.push_back(time_of_sample(*contender, batch));
  }
}

double time(const Contender& contender) {
  return contender.ns.empty() ? contender.first_ns : median(contender.ns);
}

}  // namespace

std::unique_ptr<Prepared> quickest(const std::vector<Way>& ways) {
  std::vector<Contender> contenders = make(ways);
  if (contenders.size() > 1) take_turns(contenders);
  Contender& best = *std::ranges::min_element(contenders, {}, time);
  Notes notes{{"trial", "number " + std::to_string(best.number + 1) + " of " + std::to_string(ways.size()) +
                            " tried"}};
  std::string times;
  if (contenders.size() == 1) return std::make_unique<Chosen>(std::move(best.prepared), std::move(notes));
  for (const Contender& contender : contenders) {
    times += (times.empty() ? "" : ", ") + std::to_string(contender.number + 1) + " " +
             to_text(time(contender)) + " (" + ways[contender.number].name + ")";
  }
  notes["trial_times"] = times;
  return std::make_unique<Chosen>(std::move(best.prepared), std::move(notes));
}

}  // namespace benchctl::gpu
