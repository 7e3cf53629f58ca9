// Checks of outputs, element by element: within a tolerance, or to the bit.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "workloads/workload.hpp"

namespace benchctl {

/// Fills in the right values of elements [first, first + truth.size()), and how far each may be off
/// (0: to the bit). Called from several threads at once.
using ElementTruth =
    std::function<void(std::uint64_t first, std::span<double> truth, std::span<double> tolerance)>;

/// What an output as a whole may be off. No element may be NaN or infinite where its truth is not.
struct Allowance {
  bool by_element = true;  ///< does the tolerance of each element count?
  double share = 0;        ///< share of elements that may be off by more than their tolerance
  double max_abs = std::numeric_limits<double>::infinity();  ///< largest error of any element
  double rel_l2 = std::numeric_limits<double>::infinity();   ///< ‖out − truth‖ / ‖truth‖
};

/// Compares every element of one output buffer. Where NaN is expected, the element must be NaN; an
/// infinity has to be that infinity. Where several outputs are checked, `merge` the outcomes.
[[nodiscard]] Verification check_elements(const ProblemSpec& spec, std::size_t buffer,
                                          const ElementTruth& truth, const BufferReader& read,
                                          const Allowance& allowance = {});

/// How far a number may be off.
struct Tolerance {
  double relative = 0;
  double absolute = 0;

  [[nodiscard]] double of(double truth) const { return absolute + relative * std::abs(truth); }
};

/// The same of an output of whole numbers of 64 bits, of which a double does not hold all: `truth` has one
/// for each element, as they are stored.
[[nodiscard]] Verification check_whole(const ProblemSpec& spec, std::size_t buffer,
                                       const std::vector<std::uint64_t>& truth, const Tolerance& allowed,
                                       const BufferReader& read, const Allowance& allowance = {});

/// The index of the worst element where none is wrong.
inline constexpr std::uint64_t no_element = ~std::uint64_t{0};

/// Writes the bytes that a slice of a buffer must hold, from byte `first` on; slices start at multiples of
/// its elements. Called from several threads at once.
using BitTruth = std::function<void(std::uint64_t first, std::span<std::byte> out)>;

/// Compares every element of an output, bit by bit. `error_norm` is the share of wrong elements.
[[nodiscard]] Verification check_bits(const ProblemSpec& spec, std::size_t buffer, const BitTruth& truth,
                                      const BufferReader& read);
/// The same of an output that is one 32-bit word.
[[nodiscard]] Verification check_word(const ProblemSpec& spec, std::size_t buffer, std::uint64_t word,
                                      const BufferReader& read);

/// A reference that holds nothing but the seed: all that a truth computed from the inputs needs.
[[nodiscard]] Reference seed_reference(std::uint64_t seed);
[[nodiscard]] std::uint64_t seed_of(const Reference& reference);

/// The worse of two outcomes, with the elements of both counted.
[[nodiscard]] Verification merge(const Verification& a, const Verification& b);

/// Half the distance from 1 to the next number: relative error of one rounded operation. `precision` as
/// variants declare it; 0 of whole numbers. Throws ProblemError for an unknown name.
[[nodiscard]] double unit_roundoff(std::string_view precision);

}  // namespace benchctl
