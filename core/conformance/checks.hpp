// The table of the conformance kit's checks. A check asks one part of the contract of docs/plugin-guide.md,
// in trials.
#pragma once

#include "conformance/subject.hpp"

#include <span>
#include <string_view>

namespace benchctl::conformance {

/// Built with a sanitizer, whose allocator neither refuses nor gives back as the system's does.
#ifdef BENCHCTL_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

void check_loading(Subject& subject, Trials& trials);
void check_refusal(Subject& subject, Trials& trials);
void check_variants(Subject& subject, Trials& trials);
void check_devices(Subject& subject, Trials& trials);
void check_observer(Subject& subject, Trials& trials);
void check_compiler(Subject& subject, Trials& trials);
void check_results(Subject& subject, Trials& trials);
void check_canaries(Subject& subject, Trials& trials);
void check_pages(Subject& subject, Trials& trials);
void check_repeats(Subject& subject, Trials& trials);
void check_sampling(Subject& subject, Trials& trials);
void check_errors(Subject& subject, Trials& trials);
void check_memory(Subject& subject, Trials& trials);
void check_together(Subject& subject, Trials& trials);
void check_timing(Subject& subject, Trials& trials);
void check_leaks(Subject& subject, Trials& trials);

struct Check {
  std::string_view id;
  std::string_view doc;                                     ///< one sentence for help and documents
  bool per_device = false;                                  ///< made on each device; else once
  bool backend_only = true;                                 ///< a plugin without a backend is not asked
  void (*add)(Subject& subject, Trials& trials) = nullptr;  ///< its trials
  bool of_kernels = false;   ///< asked of a plugin of kernels, too: it is not about the backend alone
  bool guard_pages = false;  ///< in processes whose allocator can put inaccessible pages beside a buffer
};

/// In the order in which they are made: what everything else stands on comes first.
[[nodiscard]] std::span<const Check> all_checks();
/// Null if there is no such check.
[[nodiscard]] const Check* find_check(std::string_view id);

}  // namespace benchctl::conformance
