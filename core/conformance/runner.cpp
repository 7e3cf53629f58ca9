#include "conformance/runner.hpp"

#include "conformance/guard_pages.hpp"
#include "conformance/worker.hpp"
#include "engine/frames.hpp"
#include "engine/worker_process.hpp"
#include "model/glob.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace benchctl::conformance {

using nlohmann::json;

namespace {

/// Crashes and hangs of one check after which it is given up.
constexpr int most_restarts = 6;
/// What the end of a process may take after the last message: destructors of the plugin's static objects.
constexpr double ending_seconds = 10;

Outcome outcome_from(const std::string& text) {
  if (text == "passed") return Outcome::passed;
  return text == "skipped" ? Outcome::skipped : Outcome::failed;
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
    const bool in_time = write_frame(process.socket(), to_json(task), write_deadline);
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
        const Outcome outcome = outcome_from(message->at("outcome").get<std::string>());
        if (outcome == Outcome::passed) ++report.passed;
        if (outcome != Outcome::passed) {
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
    return std::ranges::none_of(options_.devices,
                                [&](const std::string& glob) { return glob_match(glob, lane.name()); });
  });
  if (lanes_.empty() && !options_.devices.empty()) {
    throw NoSuchDevice(fmt::format("--device {}: no such device; there are {}",
                                   fmt::join(options_.devices, " "),
                                   names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
}

Report Runner::run() {
  report_.library = options_.library;
  report_.full = options_.full;
  const auto wanted = [&](const Check& check) {
    return options_.only.empty() || std::ranges::find(options_.only, check.id) != options_.only.end();
  };
  CheckReport probing;
  const Course probe = follow(task("probe"), probing);
  std::string trouble;
  std::string no_device;
  bool has_backend = true;
  if (!probe.finished || !probe.last.contains("devices")) {
    trouble = probing.remarks.empty() ? "the plugin's devices cannot be listed" : probing.remarks[0].reason;
  } else {
    probe.last.at("name").get_to(report_.name);
    probe.last.at("version").get_to(report_.version);
    probe.last.at("build").get_to(report_.build);
    has_backend = probe.last.at("backend").get<bool>();
    no_device = "no device: " + probe.last.at("unavailable").get<std::string>();
    Task decoded = task_from_json({{"check", ""},
                                   {"library", ""},
                                   {"lane", nullptr},
                                   {"lanes", probe.last.at("devices")},
                                   {"full", false},
                                   {"from", 0},
                                   {"folder", ""}});
    lanes_ = std::move(decoded.lanes);
    choose_lanes();
  }
  for (const Check& check : all_checks()) {
    if (!wanted(check)) continue;
    if (check.backend_only && !has_backend) {
      skip(check, "the plugin offers no backend, it only observes");
    } else if (!check.per_device) {
      add(make(check, nullptr));
    } else if (lanes_.empty()) {
      skip(check, trouble.empty() ? no_device : trouble);
    } else {
      for (const Lane& lane : lanes_) add(make(check, &lane));
    }
  }
  return std::move(report_);
}

}  // namespace

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "passed";
    case Outcome::failed:
      return "failed";
    case Outcome::skipped:
      return "skipped";
  }
  return "?";
}

std::size_t Report::count(Outcome outcome) const {
  return static_cast<std::size_t>(std::ranges::count(checks, outcome, &CheckReport::outcome));
}

Report run_checks(const Options& options, const std::function<void(const CheckReport&)>& done) {
  return Runner(options, done).run();
}

}  // namespace benchctl::conformance
