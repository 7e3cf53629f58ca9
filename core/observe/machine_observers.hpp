// What core itself reads of the machine, whoever made its devices: files of the Linux kernel and its
// counters.
#pragma once

#include <benchctl/observer.hpp>

#include <span>

namespace benchctl {

/// The observers that core brings along. They live as long as the program.
[[nodiscard]] std::span<Observer* const> machine_observers();

/// Is a device the processor of this machine, under whichever backend?
[[nodiscard]] bool is_processor(const DeviceInfo& device);

}  // namespace benchctl
