// What inputs of declared workloads hold: drawn from a seed, listed, or read from files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <benchctl/problem.hpp>

#include "workloads/array_files.hpp"
#include "workloads/generator.hpp"

namespace benchctl {

/// How an input is filled. Numbers are expressions over the problem's parameters.
struct FillSpec {
  enum class Kind : std::uint8_t {
    uniform,      ///< reals from `first` up to `second`
    wide,         ///< magnitudes from 2^-20 to 2^20, both signs
    huge,         ///< magnitudes near the square root of float32's largest number
    denormal,     ///< float32 denormals and zeros
    special,      ///< uniform in [-1, 1) with infinities and no numbers among them
    integers,     ///< whole numbers from `first` to `second`, both included
    constant,     ///< `first` everywhere
    index,        ///< `first` + position · `second`
    values,       ///< `numbers`, one for each element
    file,         ///< what `file` holds
    sorted,       ///< ascending from `first` to `second`, in random steps
    permutation,  ///< 0, 1, 2, … in random order
    offsets,      ///< ascending whole numbers: the first element is `first`, the last one `second`
    data,         ///< what the workload's DataProgram wrote
    like,         ///< element `first`, an expression over the own element `i`, of buffer `other`
  };
  Kind kind = Kind::uniform;
  std::string first = "-1";
  std::string second = "1";
  std::vector<std::string> numbers = {};
  ArrayFile file = {};
  std::string other = {};
};

BENCHCTL_WORDS(FillSpec::Kind, uniform, wide, huge, denormal, special, integers, constant, index, values,
               file, sorted, permutation, offsets, data, like)

/// The number that an expression gives. Throws ProblemError, in which `what` names the place.
[[nodiscard]] double real_of(const std::string& what, const std::string& text, const Parameters& values);

/// Writes one number into all elements, one beyond the range of `type` as its nearest.
void write_constant(DType type, double value, std::span<std::byte> out);

/// The contents of a buffer for any seed. Not of kind `like`, which takes those of another,
/// nor `data`, of which nothing is known.
class Fill {
 public:
  /// Throws ProblemError for contents that cannot be had.
  Fill(const FillSpec& spec, const BufferSpec& target, const Parameters& parameters);

  /// Writes elements [first, …), as many as fit into `out` exactly.
  void write(const RandomStream& stream, std::uint64_t first, std::span<std::byte> out) const;

 private:
  template <class T>
  void write_ascending(const RandomStream& stream, std::uint64_t first, std::span<T> out) const;
  [[nodiscard]] double value_at(const RandomStream& stream, std::uint64_t index) const;

  const FillSpec& spec_;
  const BufferSpec& target_;
  double first_ = 0;
  double second_ = 0;
  std::vector<double> numbers_;
};

/// Writes elements [first, …) of a buffer that is filled like another one: `layout` gives the element of
/// `source` for the own element `i`; below 0 the element is zero. Throws ProblemError for one that `source`
/// does not have.
void write_like(const std::string& layout, const Fill& source, const BufferSpec& other,
                const Parameters& parameters, const RandomStream& stream, std::uint64_t first,
                std::span<std::byte> out);

}  // namespace benchctl
