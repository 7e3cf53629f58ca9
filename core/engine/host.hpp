// What this installation and this machine offer: plugins, their variants, their devices.
#pragma once

#include "observe/environment.hpp"
#include "plugins/plugin_table.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/lanes.hpp"
#include "worker/channel.hpp"

namespace benchctl {

/// What the plugins in these folders are, with the kernels that tables beside them describe. Each library
/// is opened in a worker of its own; what it said is kept in `cache` by its contents and those of all
/// tables (empty: nothing is kept). Throws WorkerNotStarted.
[[nodiscard]] PluginTable read_plugins(const std::vector<std::filesystem::path>& folders,
                                       ChannelFactory& factory, const std::filesystem::path& cache);

/// The same of plugins that this process has loaded from these folders.
[[nodiscard]] PluginTable loaded_plugins(const PluginHost& host,
                                         const std::vector<std::filesystem::path>& folders = {});

/// Folders of tuning tables, in this order: those that BENCHCTL_TUNINGS names, with ':' between them,
/// `tunings` in the current folder, and share/benchctl/tunings of the tree that this program is in.
[[nodiscard]] std::vector<std::filesystem::path> tuning_folders();
/// The variant tables of all plugins with the tuning tables of tuning_folders(), what all observers read,
/// and the names of plugins that are not there or were refused. Throws ConfigErrors for a tuning table with
/// errors.
[[nodiscard]] Catalogue make_catalogue(const PluginTable& plugins);

/// Which plugins there are, for the record of the environment.
[[nodiscard]] std::vector<PluginBuild> plugin_builds(const PluginTable& plugins);

/// What computes references, as `blas_build` (workloads/blas.hpp) tells in a worker that loads no plugin.
/// `unknown_value` if no worker answers.
[[nodiscard]] std::string blas_of_workers(ChannelFactory& factory);

/// Devices of the named backends (all if empty), each enumerated in a worker of its own, so that a driver
/// that crashes takes no other backend with it. A worker that dies is replaced. A backend that has none is
/// listed with the reason; one that could not tell has a status that is not `skipped`. Where
/// BENCHCTL_HARDWARE is set, devices other than processors count only if it names their
/// DeviceInfo::physical, with ',' between them. Throws WorkerNotStarted.
[[nodiscard]] LaneTable probe_lanes(const PluginTable& plugins, ChannelFactory& factory,
                                    const std::vector<std::string>& backends, double timeout_seconds);

/// Sentences about the table: devices that cannot be used, backends that could not tell.
[[nodiscard]] std::vector<std::string> remarks_of(const LaneTable& lanes);

/// Lets each observer that other backends' workers will load watch their devices for a moment, in a worker
/// of its own. Those that crash, hang or fail are taken out of the catalogue's libraries; a sentence for
/// each.
[[nodiscard]] std::vector<std::string> leave_out_bad_observers(Catalogue& catalogue,
                                                               const PluginTable& plugins,
                                                               const LaneTable& lanes,
                                                               ChannelFactory& factory,
                                                               double timeout_seconds);

/// Checks requirements of the form `cuda`, `opencl:gpu` (a device type) or `opencl:pocl:0` (a device).
/// Returns a sentence for each one that is not met.
[[nodiscard]] std::vector<std::string> unmet_requirements(const std::vector<std::string>& requirements,
                                                          const LaneTable& lanes);

}  // namespace benchctl
