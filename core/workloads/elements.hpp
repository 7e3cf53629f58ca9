// Checks of outputs whose every element has a truth of its own that is cheap to compute from the inputs:
// maps, copies, permutations. No reference has to be kept.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "workloads/workload.hpp"

namespace benchctl {

/// Fills in the right values of elements [first, first + truth.size()), and how far each may be off
/// (0: to the bit). Called from several threads at once.
using ElementTruth =
    std::function<void(std::uint64_t first, std::span<double> truth, std::span<double> tolerance)>;

/// Looks at a part of an output: its first element and the bytes. Called from several threads at once.
using SliceCheck = std::function<void(std::uint64_t first, std::span<const std::byte> slice)>;

/// Reads an output buffer piece by piece and has every part of it looked at.
void read_slices(const ProblemSpec& spec, std::size_t buffer, const BufferReader& read,
                 const SliceCheck& check);

/// Compares every element of one output buffer. Where NaN is expected, the element must be NaN; an
/// infinity has to be that infinity. Where several outputs are checked, `merge` the outcomes.
[[nodiscard]] Verification check_elements(const ProblemSpec& spec, std::size_t buffer,
                                          const ElementTruth& truth, const BufferReader& read);

/// A reference that holds nothing but the seed: all that a truth computed from the inputs needs.
[[nodiscard]] Reference seed_reference(std::uint64_t seed);
[[nodiscard]] std::uint64_t seed_of(const Reference& reference);

/// The worse of two outcomes, with the elements of both counted.
[[nodiscard]] Verification merge(const Verification& a, const Verification& b);

/// Half the distance from 1 to the next number: relative error of one rounded operation. `precision` as
/// variants declare it. Throws ProblemError for an unknown name.
[[nodiscard]] double unit_roundoff(std::string_view precision);

}  // namespace benchctl
