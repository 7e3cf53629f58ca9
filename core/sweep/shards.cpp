#include "sweep/shards.hpp"

#include "config/digest.hpp"
#include "expr/expression.hpp"
#include "model/keys.hpp"
#include "model/values.hpp"
#include "sweep/expand.hpp"
#include "sweep/search.hpp"
#include "workloads/workload.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <stdexcept>

namespace benchctl {

namespace {

/// What may take how long: whole milliseconds, whose sums do not depend on their order, then work.
struct Burden {
  std::uint64_t milliseconds = 0;
  double work = 0;  ///< operations, bytes and accesses

  auto operator<=>(const Burden&) const = default;
};

struct ProblemLoad {
  std::string text;
  Burden burden;
  std::size_t points = 0;
  std::uint64_t searched = 0;
  double least_seconds = 0;

  void add(const Point& point, std::size_t more, std::uint64_t more_searched) {
    const std::uint64_t count = more + more_searched;
    points += more;
    searched += more_searched;
    const double seconds = point.measure.max_seconds;
    burden.milliseconds += count * static_cast<std::uint64_t>(std::llround(1000 * seconds));
    least_seconds += static_cast<double>(count) * std::min(seconds, fast_point_seconds);
  }
};

/// 0 for an invalid problem.
double work_of(const Point& point, const Workloads& workloads) {
  try {
    const Workload& workload = *workloads.find(point.workload);
    return workload.cost(problem_values(workload, point)).work();
  } catch (const ProblemError&) {
  } catch (const ExpressionError&) {
  }
  return 0;
}

/// One unknown device of each backend: no limit rules a point out.
LaneTable any_devices(const Catalogue& catalogue, const std::vector<std::string>& backends) {
  LaneTable table;
  for (const BackendEntry& backend : catalogue.backends) {
    if (!backends.empty() && std::ranges::find(backends, backend.name) == backends.end()) continue;
    table.push_back({.backend = backend.name, .lanes = {}, .unavailable = {}, .status = Status::not_run});
  }
  return table;
}

/// By ProblemKey::text(), so that the order of sweeps, plugins and files makes no difference.
using ProblemLoads = std::map<std::string, ProblemLoad>;

ProblemLoad& load_of(ProblemLoads& problems, const Workloads& workloads, const Point& point) {
  ProblemLoad& load = problems[ProblemKey(point).text()];
  if (load.text.empty()) {
    load.text = point.workload + (point.problem.empty() ? "" : " " + to_text(point.problem));
    load.burden.work = work_of(point, workloads);
  }
  return load;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_in_name(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' ||
         c == '.';
}

class HostListReader {
 public:
  explicit HostListReader(std::string_view text) : text_(text) {}

  std::vector<std::string> read() {
    std::vector<std::string> hosts;
    do {
      if (is_at_end()) refuse("a host's name");
      std::vector<std::string> names{""};
      while (!is_at_end()) {  // each part of a name times the next
        const std::vector<std::string> next = part();
        check_count(names.size() * next.size());
        std::vector<std::string> longer;
        for (const std::string& name : names) {
          for (const std::string& end : next) longer.push_back(name + end);
        }
        names = std::move(longer);
      }
      hosts.insert(hosts.end(), names.begin(), names.end());
      check_count(hosts.size());
    } while (take(','));
    std::set<std::string_view> seen;
    for (const std::string& host : hosts) {
      if (!seen.insert(host).second)
        throw std::invalid_argument(fmt::format("the host list '{}' names {} twice", text_, host));
    }
    return hosts;
  }

 private:
  /// Letters as they are, or the numbers in brackets: `7`, `01-04`.
  std::vector<std::string> part() {
    if (!take('['))
      return {std::string(run_of(is_in_name, "a letter, a digit, '-', '_', '.', '[' or ','"))};
    std::vector<std::string> numbers;
    do {
      const std::string_view first = run_of(is_digit, "a number");
      const std::string_view last = take('-') ? run_of(is_digit, "a number") : first;
      const std::uint64_t from = value(first);
      const std::uint64_t to = value(last);
      if (to < from) refuse(fmt::format("a number from {} on before this place", first));
      check_count(to - from);
      for (std::uint64_t number = from; number <= to; ++number)
        numbers.push_back(fmt::format("{:0{}}", number, first.size()));
      check_count(numbers.size());
    } while (take(','));
    if (!take(']')) refuse("',' or ']'");
    return numbers;
  }

  /// All characters of a kind from here on, at least one.
  std::string_view run_of(bool (*kind)(char), const char* expected) {
    const std::size_t start = at_;
    while (at_ < text_.size() && kind(text_[at_])) ++at_;
    if (at_ == start) refuse(expected);
    return text_.substr(start, at_ - start);
  }

  [[nodiscard]] std::uint64_t value(std::string_view digits) const {
    constexpr std::size_t most_digits = 15;
    if (digits.size() > most_digits) check_count(max_hosts + 1);
    std::uint64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
  }

  [[nodiscard]] bool is_at_end() const { return at_ == text_.size() || text_[at_] == ','; }

  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void refuse(const std::string& expected) const {
    throw std::invalid_argument(
        fmt::format("the host list '{}' is wrong at character {}: expected {}; a right one is "
                    "node[01-04],gpu7",
                    text_, at_ + 1, expected));
  }
  void check_count(std::uint64_t count) const {
    if (count <= max_hosts) return;
    throw std::invalid_argument(fmt::format("the host list '{}' has more than {} hosts", text_, max_hosts));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// What this host is called in lists: Slurm's name for it, else its own.
std::string this_host() {
  if (const char* name = std::getenv("SLURMD_NODENAME"); name != nullptr && *name != '\0') return name;
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return {};
  const std::string full = name.data();
  return full.substr(0, full.find('.'));
}

}  // namespace

Shards::Shards(const Config& config, const Catalogue& catalogue, const std::vector<std::string>& backends,
               std::size_t count)
    : loads_(count) {
  const LaneTable lanes = any_devices(catalogue, backends);
  ProblemLoads problems;
  for (const Point& point : expand(config, catalogue, lanes).points) {
    // Others are ruled out on any device.
    if (point.status == Status::not_run) load_of(problems, config.workloads, point).add(point, 1, 0);
  }
  for (const auto& task : make_searches(config, catalogue, lanes).tasks) {
    const Point point = task->example();
    load_of(problems, config.workloads, point).add(point, 0, task->max_points());
  }
  std::vector<std::pair<std::string, ProblemLoad>> sorted(problems.begin(), problems.end());
  std::ranges::stable_sort(sorted, std::greater{}, [](const auto& one) { return one.second.burden; });
  std::vector<Burden> burdens(count);
  std::string split;
  for (const auto& [key, problem] : sorted) {
    const auto shard = static_cast<std::size_t>(std::ranges::min_element(burdens) - burdens.begin());
    burdens[shard].milliseconds += problem.burden.milliseconds;
    burdens[shard].work += problem.burden.work;
    ShardLoad& load = loads_[shard];
    load.problems.push_back(problem.text);
    load.points += problem.points;
    load.searched += problem.searched;
    load.least_seconds += problem.least_seconds;
    load.most_seconds += 1e-3 * static_cast<double>(problem.burden.milliseconds);
    shard_of_[key] = shard;
    split += KeyText().add(key).add(std::to_string(shard)).take();
  }
  digest_ = digest_text(split);
}

std::size_t Shards::of(const Point& point) const {
  const std::string key = ProblemKey(point).text();
  const auto found = shard_of_.find(key);
  if (found != shard_of_.end()) return found->second;
  constexpr std::size_t digits = 15;  // that fit into 64 bits
  return std::stoull(digest_text(key).substr(0, digits), nullptr, 16) % loads_.size();
}

std::vector<std::string> hosts_of(std::string_view list) { return HostListReader(list).read(); }

std::size_t place_of_this_host(const std::vector<std::string>& hosts) {
  const std::string own = this_host();
  const auto found = std::ranges::find(hosts, own);
  if (found != hosts.end()) return static_cast<std::size_t>(found - hosts.begin());
  throw std::invalid_argument(
      fmt::format("this host, {}, is not among the {} in the host list, from {} to {}", own, hosts.size(),
                  hosts.front(), hosts.back()));
}

}  // namespace benchctl
