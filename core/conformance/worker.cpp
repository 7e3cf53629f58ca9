#include "conformance/worker.hpp"

#include "conformance/checks.hpp"
#include "engine/frames.hpp"
#include "model/json.hpp"

#include <nlohmann/json.hpp>

namespace benchctl::conformance {

using nlohmann::json;

namespace {

json lane_json(const Lane& lane) {
  return {{"backend", lane.backend}, {"device", benchctl::to_json(lane.device)}};
}

Lane lane_from(const json& j) {
  return {j.at("backend").get<std::string>(), device_from_json(j.at("device"))};
}

json probe(Subject& subject) {
  json devices = json::array();
  std::string unavailable;
  const LoadedPlugin& plugin = subject.plugin();
  if (plugin.backend == nullptr) {
    unavailable = "the plugin offers no backend, it only observes";
  } else {
    const DeviceList list = plugin.backend->devices();
    for (const DeviceInfo& device : list.devices) devices.push_back(lane_json({plugin.info.name, device}));
    unavailable = list.unavailable;
  }
  return {{"devices", devices},         {"unavailable", unavailable},
          {"name", plugin.info.name},   {"version", plugin.info.version},
          {"build", plugin.info.build}, {"backend", plugin.backend != nullptr}};
}

}  // namespace

json to_json(const Task& task) {
  json lanes = json::array();
  for (const Lane& lane : task.lanes) lanes.push_back(lane_json(lane));
  return {{"check", task.check},
          {"library", task.library.string()},
          {"lane", task.lane ? lane_json(*task.lane) : json()},
          {"lanes", std::move(lanes)},
          {"full", task.full},
          {"from", task.from},
          {"folder", task.folder.string()}};
}

Task task_from_json(const json& j) {
  Task task;
  j.at("check").get_to(task.check);
  task.library = j.at("library").get<std::string>();
  if (!j.at("lane").is_null()) task.lane = lane_from(j.at("lane"));
  for (const json& lane : j.at("lanes")) task.lanes.push_back(lane_from(lane));
  j.at("full").get_to(task.full);
  j.at("from").get_to(task.from);
  task.folder = j.at("folder").get<std::string>();
  return task;
}

void serve_check(int socket) {
  Deadline no_deadline;
  const auto tell = [&](const json& message) {
    static_cast<void>(write_frame(socket, message, no_deadline));
  };
  const Task task = task_from_json(*read_frame(socket, no_deadline));
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
