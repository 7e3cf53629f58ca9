// What this installation and this machine offer: plugins, their variants, their devices.
#pragma once

#include "engine/channel.hpp"
#include "observe/environment.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/lanes.hpp"

namespace benchctl {

/// The observers of all loaded plugins, then those of core. Of two that read the same of one device the
/// first is asked.
[[nodiscard]] std::vector<Observer*> observers_of(const PluginHost& plugins);

/// The variant tables of all loaded plugins, what all observers read, and the names of plugins that were
/// refused.
[[nodiscard]] Catalogue make_catalogue(const PluginHost& plugins);

/// What was loaded, for the record of the environment.
[[nodiscard]] std::vector<PluginBuild> plugin_builds(const PluginHost& plugins);

/// Devices of the named backends (all if empty), each enumerated in a worker of its own, so that a
/// driver that crashes takes no other backend with it. A backend that cannot tell is listed with the
/// reason.
[[nodiscard]] LaneTable probe_lanes(const PluginHost& plugins, ChannelFactory& factory,
                                    const std::vector<std::string>& backends, double timeout_seconds);

/// Checks requirements of the form `cuda`, `opencl:gpu` (a device type) or `opencl:pocl:0` (a device).
/// Returns a sentence for each one that is not met.
[[nodiscard]] std::vector<std::string> unmet_requirements(const std::vector<std::string>& requirements,
                                                          const LaneTable& lanes);

}  // namespace benchctl
