#include "conformance/checks.hpp"

#include <algorithm>
#include <array>

namespace benchctl::conformance {

namespace {

constexpr std::array<Check, 16> checks{{
    {"loading", "the library loads, has a matching stamp, describes itself, and unloads", false, false,
     &check_loading},
    {"refusal", "copies with a stamp of another interface are refused without harm", false, false,
     &check_refusal},
    {"variants", "the table of variants: names, workloads, tunables, expressions, kernel files", false,
     true, &check_variants, true},
    {"devices", "the list of devices: identities, limits, the same at every call", false, true,
     &check_devices},
    {"observer", "the readings of its observer; watching does no harm", false, false, &check_observer},
    {"compiler", "kernels compile without a device where the plugin says so, and come from the cache",
     false, true, &check_compiler, true},
    {"results", "every variant is right, on awkward sizes and numbers", true, true, &check_results, true},
    {"canaries", "nothing is written past the end of a buffer, into an input or into another set", true,
     true, &check_canaries, true},
    {"pages", "on processors nothing is read or written beside a buffer (inaccessible pages)", true, true,
     &check_pages, true, !sanitized},
    {"repeats", "executing again gives the same outputs, whatever else was prepared or dropped", true, true,
     &check_repeats, true},
    {"sampling", "samples come as requested: number, batch, set, hook; impossible requests are refused",
     true, true, &check_sampling},
    {"errors", "impossible requests give a typed failure, and everything works afterwards", true, true,
     &check_errors},
    {"memory", "too large an allocation gives a typed failure, and everything works afterwards", true, true,
     &check_memory},
    {"together", "several problems and several devices at once do not disturb one another", false, true,
     &check_together},
    {"timing", "times are nanoseconds of one execution; samples of every variant wait for their work", true,
     true, &check_timing},
    {"leaks", "memory and descriptors stay the same over many prepare and drop cycles", true, true,
     &check_leaks},
}};

}  // namespace

std::span<const Check> all_checks() { return checks; }

const Check* find_check(std::string_view id) {
  const auto found = std::ranges::find(checks, id, &Check::id);
  return found == checks.end() ? nullptr : &*found;
}

}  // namespace benchctl::conformance
