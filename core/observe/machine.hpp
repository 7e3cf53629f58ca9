// What Linux tells about a machine and about the limits that a container puts on a process. Every function
// takes the folder that stands for `/`, and gives "unknown" where a file is missing.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace benchctl::machine {

/// The first line of a file without white space around it.
[[nodiscard]] std::string first_line(const std::filesystem::path& file);
/// The value of the first `name<separator>value` line of a file, without quotes around it.
[[nodiscard]] std::string field(const std::filesystem::path& file, std::string_view name, char separator);
/// The bracketed word of a line such as `always [madvise] never`; the line where there is none.
[[nodiscard]] std::string chosen_word(const std::filesystem::path& file);

/// `on` or `off`: may cores run faster than their nominal clock?
[[nodiscard]] std::string turbo(const std::filesystem::path& root);
/// `on` or `off`: do cores run several threads?
[[nodiscard]] std::string simultaneous_threads(const std::filesystem::path& root);
/// `800000 to 3500000 kHz`: the clocks that the first core's governor may choose.
[[nodiscard]] std::string clock_limits(const std::filesystem::path& root);
/// `yes` or `no`: does the processor say that a hypervisor runs it?
[[nodiscard]] std::string under_hypervisor(const std::filesystem::path& root);
/// `2048 kB pages: 0`: huge pages that are set aside, by size.
[[nodiscard]] std::string reserved_huge_pages(const std::filesystem::path& root);
/// What isolates the process, as far as it shows: `docker`, `podman`, `kubernetes`, `lxc` …, or `none`.
[[nodiscard]] std::string container(const std::filesystem::path& root);
/// The three load averages.
[[nodiscard]] std::string load_averages(const std::filesystem::path& root);

/// The value of a file of the process's own control group, version 2, of the nearest group above it that
/// has the file; `v1_file`, relative to the controllers' folder, where there is only version 1.
[[nodiscard]] std::string group_limit(const std::filesystem::path& root, const std::string& file,
                                      const std::string& v1_file);

}  // namespace benchctl::machine
