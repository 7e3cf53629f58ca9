#include "conformance/runner.hpp"

#include "engine/host.hpp"
#include "model/json.hpp"
#include "model/json_words.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace benchctl {

using nlohmann::json;

namespace conformance {

/// Are there trials of the task's check?
struct List {
  static constexpr Verb verb = "list";
  struct Reply {
    std::vector<std::string> trials = {};
    std::string impossible = {};  ///< why there is none
    std::string broken = {};      ///< what listing them threw
  };
  Task task;
};

/// Makes one of them.
struct Try {
  static constexpr Verb verb = "try";
  using Reply = Tried;
  std::size_t number = 0;
};

}  // namespace conformance

template <>
struct JsonForm<Lane> {
  static nlohmann::json to(const Lane& lane) {
    return {{"backend", lane.backend}, {"device", to_json(lane.device)}};
  }
  static void from(const nlohmann::json& object, Lane& lane) {
    lane = {object.at("backend").get<std::string>(), device_from_json(object.at("device"))};
  }
};
BENCHCTL_JSON_RECORD(conformance::Task, check, library, kernels, lane, lanes, full, folder)
BENCHCTL_JSON_RECORD(conformance::List, task)
BENCHCTL_JSON_RECORD(conformance::List::Reply, trials, impossible, broken)
BENCHCTL_JSON_RECORD(conformance::Try, number)
BENCHCTL_JSON_RECORD(conformance::Tried, outcome, reason, lost)

#define BENCHCTL_MESSAGE(Message)        \
  template <>                            \
  json encode(const Message& message) {  \
    return written(message);             \
  }                                      \
  template <>                            \
  Message decode(const json& document) { \
    return read_as<Message>(document);   \
  }
BENCHCTL_MESSAGE(conformance::List)
BENCHCTL_MESSAGE(conformance::List::Reply)
BENCHCTL_MESSAGE(conformance::Try)
BENCHCTL_MESSAGE(conformance::Tried)
#undef BENCHCTL_MESSAGE

}  // namespace benchctl

namespace benchctl::conformance {

namespace {

/// Processes that one check may lose before it is given up. Not `retry`: no trial is made again, since what
/// kills its process has failed.
constexpr int most_lost = 7;
/// What the end of a process may take after the last trial: destructors of the plugin's static objects.
constexpr double ending_seconds = 10;

/// The library to preload for guard pages, of this program.
std::filesystem::path guard_pages_library(const std::filesystem::path& program) {
  return program.parent_path() / "../lib/benchctl/libbenchctl_guard_pages.so";
}

class Runner {
 public:
  Runner(const Options& options, std::function<void(const CheckReport&)> done)
      : options_(options), done_(std::move(done)) {}

  Report run();

 private:
  Task task(const Check& check, const Lane* lane);
  CheckReport make(const Check& check, const Lane* lane);
  void add(CheckReport report);
  void skip(const Check& check, const std::string& reason);
  void look_at_plugin();
  void choose_lanes();

  const Options& options_;
  std::function<void(const CheckReport&)> done_;
  Report report_;
  std::vector<Lane> lanes_;
  bool has_backend_ = true;
  std::string trouble_;  ///< why there is no device
};

Task Runner::task(const Check& check, const Lane* lane) {
  Task task{std::string(check.id), options_.library, options_.kernels};
  if (lane != nullptr) task.lane = *lane;
  task.lanes = lanes_;
  task.full = options_.full;
  task.folder = options_.folder / "check";
  std::filesystem::remove_all(task.folder);
  std::filesystem::create_directories(task.folder);
  return task;
}

CheckReport Runner::make(const Check& check, const Lane* lane) {
  CheckReport report;
  report.check = check.id;
  if (lane != nullptr) report.device = lane->name();
  const auto remark = [&](const std::string& what, Outcome outcome, const std::string& reason) {
    report.remarks.push_back({what, outcome, reason});
  };
  ProcessChannelFactory factory(options_.program, "conformance-worker",
                                check.guard_pages ? guard_pages_library(options_.program) : "");
  const List list{task(check, lane)};
  List::Reply listed;
  Client client(factory, {}, [&] { listed = client.ask(list, options_.timeout_seconds); });
  int lost = 0;
  for (std::size_t next = 0; next == 0 || next < listed.trials.size(); ++next) {
    std::string trial =
        next == 0 ? "(before the first trial)" : fmt::format("(after: {})", listed.trials[next - 1]);
    try {
      client.start();
      if (next >= listed.trials.size()) break;
      trial = listed.trials[next];
      const Tried tried = client.ask(Try{next}, options_.timeout_seconds);
      if (tried.outcome == Outcome::passed) ++report.passed;
      if (tried.outcome != Outcome::passed) remark(trial, tried.outcome, tried.reason);
      if (!tried.lost) continue;
      client.reset();
    } catch (const WorkerLost& death) {
      remark(trial, Outcome::failed, death.what());
      if (trial.starts_with('(')) break;  // no trial was begun
    }
    if (++lost < most_lost) continue;
    remark("(the rest)", Outcome::failed, "stopped: too many processes were lost");
    break;
  }
  if (!listed.broken.empty()) remark("(between trials)", Outcome::failed, listed.broken);
  if (!listed.impossible.empty()) remark("(all)", Outcome::skipped, listed.impossible);
  if (const std::string fault = client.end(ending_seconds); !fault.empty()) {
    remark("(the end of the process)", Outcome::failed,
           fmt::format("destroying the plugin's static objects failed: {}", fault));
  }
  const bool failed =
      std::ranges::any_of(report.remarks, [](const Remark& one) { return one.outcome == Outcome::failed; });
  report.outcome = failed ? Outcome::failed : report.passed > 0 ? Outcome::passed : Outcome::skipped;
  return report;
}

void Runner::add(CheckReport report) {
  done_(report);
  report_.checks.push_back(std::move(report));
}

void Runner::skip(const Check& check, const std::string& reason) {
  CheckReport report;
  report.check = check.id;
  report.remarks.push_back({"(all)", Outcome::skipped, reason});
  add(std::move(report));
}

void Runner::look_at_plugin() {
  ProcessChannelFactory factory(options_.program);
  Client client(factory, {options_.library});
  try {
    const PluginEntry plugin = client.ask(verbs::Describe(), options_.timeout_seconds);
    report_.name = options_.kernels.empty() ? plugin.info.name : options_.kernels.filename().string();
    report_.version = plugin.info.version;
    report_.build = plugin.info.build;
    has_backend_ = plugin.is_backend;
    if (!has_backend_) return;
    BackendLanes found =
        lanes_of(plugin.info.name, client.ask(verbs::Probe{plugin.info.name}, options_.timeout_seconds));
    lanes_ = std::move(found.lanes);
    trouble_ = "no device: " + found.unavailable;
  } catch (const Failure& failure) {
    trouble_ = failure.what();
  } catch (const WorkerLost& lost) {
    trouble_ = lost.what();
  }
}

void Runner::choose_lanes() {
  std::vector<std::string> names;
  for (const Lane& lane : lanes_) names.push_back(lane.name());
  std::erase_if(lanes_, [&](const Lane& lane) {
    if (options_.devices.empty()) return lane.device.type == DeviceType::simulator;
    return !any_matches(options_.devices, lane.name());
  });
  if (lanes_.empty() && !options_.devices.empty()) {
    throw NoSuchDevice(fmt::format("--device {}: no such device; there are {}",
                                   fmt::join(options_.devices, " "),
                                   names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
}

Report Runner::run() {
  report_.library = options_.kernels.empty() ? options_.library : options_.kernels;
  report_.full = options_.full;
  look_at_plugin();
  if (!report_.name.empty()) choose_lanes();
  for (const Check& check : all_checks()) {
    if (!options_.only.empty() && std::ranges::find(options_.only, check.id) == options_.only.end())
      continue;
    if (!options_.kernels.empty() && !check.of_kernels) {
      skip(check, "a backend is asked this, not its kernels");
    } else if (check.backend_only && !has_backend_) {
      skip(check, "the plugin offers no backend, it only observes");
    } else if (!check.per_device) {
      add(make(check, nullptr));
    } else if (lanes_.empty()) {
      skip(check, trouble_);
    } else {
      for (const Lane& lane : lanes_) add(make(check, &lane));
    }
  }
  return std::move(report_);
}

}  // namespace

std::size_t Report::count(Outcome outcome) const {
  return static_cast<std::size_t>(std::ranges::count(checks, outcome, &CheckReport::outcome));
}

Report run_checks(const Options& options, const std::function<void(const CheckReport&)>& done) {
  return Runner(options, done).run();
}

void serve_check(int socket) {
  std::optional<Subject> subject;  // the trials refer to it
  Trials trials;
  const auto list = [&](const Task& task) {
    List::Reply reply;
    try {
      subject.emplace(task);
      find_check(task.check)->add(*subject, trials);
    } catch (const NotPossible& impossible) {
      reply.impossible = impossible.what();
    } catch (const std::exception& error) {
      reply.broken = error.what();
    }
    reply.trials = trials.names();
    return reply;
  };
  serve(
      [&](Verb verb, const json& arguments) {
        return verb == List::verb ? encode(list(decode<List>(arguments).task))
                                  : encode(trials.attempt(decode<Try>(arguments).number));
      },
      socket);
}

}  // namespace benchctl::conformance
