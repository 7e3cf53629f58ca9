// Forms of a kernel in the order of the times that a model expects of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace benchctl::gpu {

/// A form and the time that it is expected to take.
template <class Form>
struct Ranked {
  Form form;
  double expected_ns;
};

/// Sorts by expected time and leaves out each form that is `alike` one before it, until there are `most`.
/// The first is the quickest; of equally quick ones the one that came first.
template <class Form, class Alike>
[[nodiscard]] std::vector<Ranked<Form>> rank(std::vector<Ranked<Form>> forms, std::size_t most,
                                             const Alike& alike) {
  std::ranges::stable_sort(forms, {}, &Ranked<Form>::expected_ns);
  std::vector<Ranked<Form>> ranked;
  for (Ranked<Form>& next : forms) {
    if (ranked.size() == most) break;
    const auto is_like_next = [&](const Ranked<Form>& other) { return alike(other.form, next.form); };
    if (std::ranges::none_of(ranked, is_like_next)) ranked.push_back(std::move(next));
  }
  return ranked;
}

/// Where forms differ in more than that.
inline constexpr auto never_alike = [](const auto& /*a*/, const auto& /*b*/) { return false; };

/// Whether numbers of parts differ by less than a quarter: their times hardly do.
[[nodiscard]] constexpr bool are_about_as_many(std::size_t a, std::size_t b) {
  return 4 * std::max(a, b) < 5 * std::min(a, b);
}

}  // namespace benchctl::gpu
