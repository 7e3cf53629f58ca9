#include "conformance/runner.hpp"

#include "model/json.hpp"
#include "model/json_words.hpp"
#include "model/words.hpp"
#include "worker/frames.hpp"
#include "worker/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace benchctl {

template <>
struct JsonForm<Lane> {
  static nlohmann::json to(const Lane& lane) {
    return {{"backend", lane.backend}, {"device", to_json(lane.device)}};
  }
  static void from(const nlohmann::json& object, Lane& lane) {
    lane = {object.at("backend").get<std::string>(), device_from_json(object.at("device"))};
  }
};
BENCHCTL_JSON_RECORD(conformance::Task, check, library, kernels, lane, lanes, full, from, folder)

}  // namespace benchctl

namespace benchctl::conformance {

using nlohmann::json;

namespace {

/// Crashes and hangs of one check after which it is given up.
constexpr int most_restarts = 6;
/// What the end of a process may take after the last message: destructors of the plugin's static objects.
constexpr double ending_seconds = 10;

/// The library to preload for guard pages, of this program.
std::filesystem::path guard_pages_library(const std::filesystem::path& program) {
  return program.parent_path() / "../lib/benchctl/libbenchctl_guard_pages.so";
}

/// Where a process came to.
struct Course {
  std::size_t next = 0;                ///< trial to continue with
  bool finished = false;               ///< nothing is left to be tried
  bool restarted_for_nothing = false;  ///< no trial was begun
  json last;                           ///< final message
};

class Runner {
 public:
  Runner(const Options& options, std::function<void(const CheckReport&)> done)
      : options_(options), done_(std::move(done)) {}

  Report run();

 private:
  Task task(std::string_view check);
  Course follow(const Task& task, CheckReport& report);
  CheckReport make(const Check& check, const Lane* lane);
  void add(CheckReport report);
  void skip(const Check& check, const std::string& reason);
  void choose_lanes();

  const Options& options_;
  std::function<void(const CheckReport&)> done_;
  Report report_;
  std::vector<Lane> lanes_;
  int processes_ = 0;
};

Task Runner::task(std::string_view check) {
  Task task;
  task.check = check;
  task.library = options_.library;
  task.kernels = options_.kernels;
  task.lanes = lanes_;
  task.full = options_.full;
  task.folder = options_.folder / fmt::format("process-{}", ++processes_);
  std::filesystem::create_directories(task.folder);
  return task;
}

/// Runs one process to its end and writes down what it tells.
Course Runner::follow(const Task& task, CheckReport& report) {
  Course course;
  course.next = task.from;
  std::vector<std::string> command{options_.program, "conformance-worker"};
  if (const Check* check = find_check(task.check); check != nullptr && check->guard_pages) {
    command = {"/usr/bin/env", "LD_PRELOAD=" + guard_pages_library(options_.program).string(), command[0],
               command[1]};
  }
  WorkerProcess process(command[0], {command.begin() + 1, command.end()});
  std::string trial = "(before the first trial)";
  bool any = false;
  bool trying = false;
  const auto lost = [&](const std::string& reason) {
    report.remarks.push_back({trial, Outcome::failed, reason});
    course.restarted_for_nothing = !any;
    if (trying) ++course.next;
  };
  try {
    const std::chrono::duration<double> timeout(options_.timeout_seconds);
    Deadline write_deadline(timeout);
    const bool in_time = write_frame(process.socket(), written(task), write_deadline);
    while (true) {
      Deadline deadline(timeout);
      const std::optional<json> message =
          in_time ? read_frame(process.socket(), deadline) : std::optional<json>();
      if (!message) {
        process.kill();
        lost(fmt::format("it did not end within {:g} s; the process was stopped{}",
                         options_.timeout_seconds, process.last_output()));
        return course;
      }
      if (message->contains("begin")) {
        course.next = message->at("begin").get<std::size_t>();
        trial = message->at("what").get<std::string>();
        any = trying = true;
      } else if (message->contains("end")) {
        const auto outcome =
            parse_enum<Outcome>(message->at("outcome").get<std::string>()).value_or(Outcome::failed);
        if (outcome == Outcome::passed) {
          ++report.passed;
        } else {
          report.remarks.push_back({trial, outcome, message->at("reason").get<std::string>()});
        }
        ++course.next;
        trial = fmt::format("(after: {})", trial);
        trying = false;
      } else {
        course.last = *message;
        break;
      }
    }
  } catch (const ConnectionLost& error) {
    lost(fmt::format("the process died: {}{}", process.ending(error.what()), process.last_output()));
    return course;
  } catch (const json::exception&) {
    process.kill();
    lost(fmt::format("the process sent something that is not a message{}", process.last_output()));
    return course;
  }
  course.finished = !course.last.contains("lost");
  if (course.last.contains("broken")) {
    report.remarks.push_back(
        {"(between trials)", Outcome::failed, course.last.at("broken").get<std::string>()});
  }
  if (course.last.contains("impossible")) {
    report.remarks.push_back({"(all)", Outcome::skipped, course.last.at("impossible").get<std::string>()});
  }
  if (!process.ends_well(ending_seconds)) {
    report.remarks.push_back({"(the end of the process)", Outcome::failed,
                              fmt::format("destroying the plugin's static objects failed: {}{}",
                                          process.ending("it did not end"), process.last_output())});
  }
  return course;
}

CheckReport Runner::make(const Check& check, const Lane* lane) {
  CheckReport report;
  report.check = check.id;
  if (lane != nullptr) report.device = lane->name();
  std::size_t from = 0;
  for (int restarts = 0;; ++restarts) {
    Task next = task(check.id);
    if (lane != nullptr) next.lane = *lane;
    next.from = from;
    const Course course = follow(next, report);
    std::error_code ignored;
    std::filesystem::remove_all(next.folder, ignored);
    if (course.finished || course.restarted_for_nothing) break;
    from = course.next;
    if (restarts == most_restarts) {
      report.remarks.push_back({"(the rest)", Outcome::failed, "stopped: too many processes were lost"});
      break;
    }
  }
  const bool failed = std::ranges::any_of(
      report.remarks, [](const Remark& remark) { return remark.outcome == Outcome::failed; });
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
  const auto wanted = [&](const Check& check) {
    return options_.only.empty() || std::ranges::find(options_.only, check.id) != options_.only.end();
  };
  CheckReport probing;
  const Course probe = follow(task("probe"), probing);
  std::string trouble;  // why there is no device
  bool has_backend = true;
  if (!probe.finished || !probe.last.contains("devices")) {
    trouble = probing.remarks.empty() ? "the plugin's devices cannot be listed" : probing.remarks[0].reason;
  } else {
    probe.last.at("name").get_to(report_.name);
    if (!options_.kernels.empty()) report_.name = options_.kernels.filename().string();
    probe.last.at("version").get_to(report_.version);
    probe.last.at("build").get_to(report_.build);
    has_backend = probe.last.at("backend").get<bool>();
    trouble = "no device: " + probe.last.at("unavailable").get<std::string>();
    benchctl::read(probe.last.at("devices"), lanes_);
    choose_lanes();
  }
  for (const Check& check : all_checks()) {
    if (!wanted(check)) continue;
    if (!options_.kernels.empty() && !check.of_kernels) {
      skip(check, "a backend is asked this, not its kernels");
    } else if (check.backend_only && !has_backend) {
      skip(check, "the plugin offers no backend, it only observes");
    } else if (!check.per_device) {
      add(make(check, nullptr));
    } else if (lanes_.empty()) {
      skip(check, trouble);
    } else {
      for (const Lane& lane : lanes_) add(make(check, &lane));
    }
  }
  return std::move(report_);
}

json probe(Subject& subject) {
  json devices = json::array();
  std::string unavailable;
  const LoadedPlugin& plugin = subject.plugin();
  if (plugin.backend == nullptr) {
    unavailable = "the plugin offers no backend, it only observes";
  } else {
    const DeviceList list = plugin.backend->devices();
    for (const DeviceInfo& device : list.devices)
      devices.push_back(written(Lane{plugin.info.name, device}));
    unavailable = list.unavailable;
  }
  return {{"devices", devices},         {"unavailable", unavailable},
          {"name", plugin.info.name},   {"version", plugin.info.version},
          {"build", plugin.info.build}, {"backend", plugin.backend != nullptr}};
}

}  // namespace

std::size_t Report::count(Outcome outcome) const {
  return static_cast<std::size_t>(std::ranges::count(checks, outcome, &CheckReport::outcome));
}

Report run_checks(const Options& options, const std::function<void(const CheckReport&)>& done) {
  return Runner(options, done).run();
}

void serve_check(int socket) {
  Deadline no_deadline;
  const auto tell = [&](const json& message) {
    static_cast<void>(write_frame(socket, message, no_deadline));
  };
  const Task task = read_as<Task>(*read_frame(socket, no_deadline));
  json last = {{"done", true}};
  {
    Subject subject(task);
    try {
      if (task.check == "probe") {
        last.update(probe(subject));
      } else {
        Trials trials(task.from, tell);
        find_check(task.check)->run(subject, trials);
      }
    } catch (const SessionLost&) {
      last = {{"lost", true}};
    } catch (const NotPossible& impossible) {
      last["impossible"] = impossible.what();
    } catch (const std::exception& error) {
      last["broken"] = error.what();
    }
  }
  // The plugin is gone by now, and has said nothing more.
  tell(last);
}

}  // namespace benchctl::conformance
