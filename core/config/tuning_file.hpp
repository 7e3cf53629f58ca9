// Tuning tables as TOML files, one for each backend, architecture and workload:
// FOLDER/BACKEND/ARCHITECTURE/WORKLOAD.toml.
#pragma once

#include "model/tuning.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// Reads a table, strictly. Throws ConfigErrors with everything that is wrong.
[[nodiscard]] TuningTable parse_tuning(const std::string& text, const std::string& name);
/// The table as text: classes in the order of choice, layout and problem; the same table gives the same
/// bytes. It reads back as the same table, ratios to three digits behind the point.
[[nodiscard]] std::string to_toml(TuningTable table);

/// Where a table is in a folder of tables.
[[nodiscard]] std::filesystem::path tuning_path(const TuningTable& table);
/// All tables of a backend in a folder of tables, in the order of their names; none if there is no such
/// folder. Throws ConfigErrors.
[[nodiscard]] std::vector<TuningTable> load_tunings(const std::filesystem::path& folder,
                                                    std::string_view backend);

/// Are they of one choice and problem?
[[nodiscard]] bool same_class(const TunedClass& a, const TunedClass& b);
/// `newer`, with those classes of `older` that it does not have.
[[nodiscard]] TuningTable merged(TuningTable newer, const TuningTable& older);

}  // namespace benchctl
