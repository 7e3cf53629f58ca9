// Memory instructions of workload `access`: copies whose reads go by a pattern.
#pragma once

#include <benchctl/access_spec.hpp>

namespace benchctl::patterns {

/// f(i) of a pattern, the number `i` of the written element being an expression.
struct CopyPattern {
  const char* name;                              ///< value of the problem parameter `pattern`
  std::string (*element)(const std::string& i);  ///< f, as an expression
};

/// The formulas of the workload (core/workloads/access.cpp) and of its kernels.
inline constexpr std::array<CopyPattern, 6> copy_patterns{
    {{"linear", [](const std::string& i) { return i; }},
     {"masked", [](const std::string& i) { return i; }},
     {"scattered_warp",
      [](const std::string& i) { return i + " - " + i + " % 32 + (" + i + " % 32 * 13 + 7) % 32"; }},
     {"scattered_block",
      [](const std::string& i) { return i + " - " + i + " % 256 + (" + i + " % 256 * 101 + 37) % 256"; }},
     {"scattered_array", [](const std::string& i) { return i + " * 5184427 % n"; }},
     {"scattered_384", [](const std::string& i) {
        return "floor_div(" + i + ", 32) * 96 + " + i + " % 32 % 6 * 16 + floor_div(" + i + " % 32, 6)";
      }}}};

/// The threads that `active` names copy one element each, `i` being the number of it.
[[nodiscard]] inline Accesses patterned_copy(const std::string& i, const std::string& active,
                                             const std::string& times) {
  Accesses all;
  for (const CopyPattern& pattern : copy_patterns) {
    std::string loads = std::string("pattern == '") + pattern.name + "' and " + active;
    if (std::string_view(pattern.name) == "masked") loads += " and " + i + " % 4 != 3";
    all.push_back(access(AccessSpace::global, AccessKind::read, "in",
                         "(misalign + (" + pattern.element(i) + ") * stride) * access_width",
                         "access_width", loads, times));
  }
  all.push_back(access(AccessSpace::global, AccessKind::write, "out", i + " * access_width", "access_width",
                       active, times));
  return all;
}

/// Neighbouring threads copy neighbouring elements, however many each takes. Counted by elements, not by
/// threads: a warp's instruction is one on as many neighbours, and a buffer has one pattern.
[[nodiscard]] inline Accesses copy_of_elements() {
  return by_threads(patterned_copy("i", "i < n", "1"), "n");
}

/// By `compute_units * resident` threads, tunable `resident`: whole rounds of all of them, then one in
/// which only the first take part.
[[nodiscard]] inline Accesses resident_copy() {
  const std::string threads = "(compute_units * resident)";
  const std::string rounds = "floor_div(n, " + threads + ")";
  Accesses all = patterned_copy("i", "true", rounds);
  append(all, patterned_copy("(" + rounds + " * " + threads + " + i)", "i < n % " + threads, "1"));
  return all;
}

/// Elements packed into words of `word` bytes, a tunable, one per thread; what fills no word is copied by
/// one thread, element by element.
[[nodiscard]] inline Accesses packed_copy() {
  const std::string words = "floor_div(n * access_width, word)";
  Accesses all;
  for (const AccessKind kind : {AccessKind::read, AccessKind::write}) {
    const char* operand = kind == AccessKind::read ? "in" : "out";
    const std::string place = kind == AccessKind::read ? "misalign * access_width + i * word" : "i * word";
    all.push_back(access(AccessSpace::global, kind, operand, place, "word", "i < " + words));
    all.push_back(access(AccessSpace::global, kind, operand, place, "access_width", "i == " + words,
                         "n % floor_div(word, access_width)"));
  }
  return all;
}

}  // namespace benchctl::patterns
