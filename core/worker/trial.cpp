#include "worker/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <limits>
#include <utility>

namespace benchctl {

namespace {

/// What a sample should take at least, so that a timer's steps are small beside it, and executions of one
/// at most: more could not be queued behind a closed gate.
constexpr double least_sample_ns = 100'000;
constexpr double most_executions = 16;
/// Rounds, fewer where a sample takes long.
constexpr std::uint32_t most_turns = 9;
constexpr std::uint32_t least_turns = 3;
constexpr double most_turns_ns = 5e7;
/// Times the quickest, after the first round: not worth further ones.
constexpr double hopeless = 1.5;

struct Trying {
  std::size_t number;
  std::unique_ptr<Prepared> prepared;
  double first_ns = 0;  ///< duration of a sample that warms up
  std::vector<double> ns = {};
};

double median_of(std::vector<double> values) {
  if (values.empty()) throw Failure(FailureKind::launch_error, "a sample of the trial has no times");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

double time_of_sample(Trying& trying, std::uint32_t batch) {
  SampleRequest request;
  request.batch = batch;
  return median_of(trying.prepared->sample(request).ns);
}

double time_of(const Trying& trying) { return trying.ns.empty() ? trying.first_ns : median_of(trying.ns); }

/// Those that can be made and run, and are right if any is; each executed once.
std::vector<Trying> make_ready(const std::vector<Contender>& contenders) {
  std::vector<Trying> ready;
  std::vector<Trying> wrong;
  std::exception_ptr first_failure;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    try {
      std::unique_ptr<Prepared> prepared = contenders[i].make();
      const bool right = contenders[i].is_right(*prepared);
      (right ? ready : wrong).push_back({i, std::move(prepared)});
    } catch (const Failure& failure) {
      // After a sticky one nothing works any more.
      if (failure.sticky()) throw;
      if (first_failure == nullptr) first_failure = std::current_exception();
    }
  }
  if (ready.empty()) ready = std::move(wrong);
  if (ready.empty()) std::rethrow_exception(first_failure);
  return ready;
}

/// Equally many executions make a sample of each, so that what a sample costs besides is shared alike.
/// Those that are far behind in the first turn get no other.
void take_turns(std::vector<Trying>& all) {
  double run_ns = std::numeric_limits<double>::infinity();
  for (const Trying& trying : all) run_ns = std::min(run_ns, trying.prepared->run(0));
  const auto batch =
      static_cast<std::uint32_t>(std::clamp(std::ceil(least_sample_ns / run_ns), 1.0, most_executions));
  for (Trying& trying : all) trying.first_ns = time_of_sample(trying, batch);
  const double least = std::ranges::min_element(all, {}, &Trying::first_ns)->first_ns;
  std::vector<Trying*> near;
  for (Trying& trying : all) {
    if (trying.first_ns <= hopeless * least) near.push_back(&trying);
  }
  const double round_ns = least * batch * static_cast<double>(near.size());
  const auto rounds = static_cast<std::uint32_t>(
      std::clamp(most_turns_ns / round_ns, double{least_turns}, double{most_turns}));
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (Trying* trying : near) trying->ns.push_back(time_of_sample(*trying, batch));
  }
}

}  // namespace

TrialOutcome quickest(const std::vector<Contender>& contenders) {
  if (contenders.size() == 1) return {0, contenders.front().make(), {}};
  std::vector<Trying> all = make_ready(contenders);
  if (all.size() > 1) take_turns(all);
  std::ranges::stable_sort(all, {}, time_of);
  TrialOutcome outcome{all.front().number, std::move(all.front().prepared), {}};
  for (const Trying& trying : all) {
    if (all.size() == 1) break;
    outcome.times += fmt::format("{}{:.2f} us {}", outcome.times.empty() ? "" : ", ",
                                 time_of(trying) / 1000, contenders[trying.number].name);
  }
  return outcome;
}

}  // namespace benchctl
