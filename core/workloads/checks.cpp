#include "workloads/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>

#include "workloads/generator.hpp"
#include "workloads/values.hpp"

namespace benchctl {

namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{8} << 20;
/// Less than this is looked at by one thread.
constexpr std::uint64_t small_bytes = std::uint64_t{1} << 18;

/// Comparison of some elements; sums of disjoint parts are joined by add().
struct ElementComparison {
  double error_squares = 0;
  double truth_squares = 0;
  std::uint64_t not_a_number = 0;
  std::uint64_t not_finite = 0;  // or finite where the truth is not
  std::uint64_t wrong = 0;
  std::uint64_t first_wrong = no_element;
  double most_error = 0;
  struct {
    double excess = -1;  // error over tolerance
    std::uint64_t index = no_element;
    double error = 0;
    double tolerance = 0;
    double value = 0;
    double truth = 0;
  } worst;

  void compare(std::uint64_t index, double value, double truth, double tolerance) {
    const bool same = std::isnan(truth) ? std::isnan(value) : value == truth;
    compare(index, value, truth, tolerance, same ? 0 : std::abs(value - truth));
  }
  template <class Whole>
  void compare_whole(std::uint64_t index, Whole value, Whole truth, double tolerance) {
    const auto distance = static_cast<std::uint64_t>(std::max(value, truth)) -
                          static_cast<std::uint64_t>(std::min(value, truth));
    compare(index, static_cast<double>(value), static_cast<double>(truth), tolerance,
            static_cast<double>(distance));
  }
  void compare(std::uint64_t index, double value, double truth, double tolerance, double error) {
    // Expected NaN and infinities have no distance to be measured.
    const bool exact = !std::isfinite(truth);
    if (std::isnan(value) && !std::isnan(truth)) ++not_a_number;
    const bool right = exact ? error == 0 : error <= tolerance;
    if (!exact && std::isfinite(error)) {
      error_squares += error * error;
      truth_squares += truth * truth;
    }
    if (std::isfinite(error)) {
      most_error = std::max(most_error, error);
    } else {
      ++not_finite;
    }
    const double over = right ? (tolerance > 0 ? error / tolerance : 0) : std::max(2.0, error / tolerance);
    const double finite_over = std::isfinite(over) ? over : 1e300;
    if (!right) {
      ++wrong;
      first_wrong = std::min(first_wrong, index);
    }
    if (finite_over > worst.excess)
      worst = {finite_over, index, error, exact ? 0 : tolerance, value, truth};
  }

  void add(const ElementComparison& other) {
    error_squares += other.error_squares;
    truth_squares += other.truth_squares;
    not_a_number += other.not_a_number;
    not_finite += other.not_finite;
    wrong += other.wrong;
    most_error = std::max(most_error, other.most_error);
    first_wrong = std::min(first_wrong, other.first_wrong);
    if (other.worst.excess > worst.excess) worst = other.worst;
  }
};

/// The bytes of an element as a number, the highest byte first: `0xffffffff` for a poisoned word.
std::string hexadecimal(std::span<const std::byte> element) {
  std::string text = "0x";
  for (std::size_t i = element.size(); i > 0; --i) {
    text += fmt::format("{:02x}", std::to_integer<unsigned>(element[i - 1]));
  }
  return text;
}

/// Comparison of some elements.
struct Difference {
  std::uint64_t wrong = 0;
  std::uint64_t first = no_element;
  std::string found;  // of the first
  std::string expected;

  void add(const Difference& other) {
    wrong += other.wrong;
    if (other.first >= first) return;
    first = other.first;
    found = other.found;
    expected = other.expected;
  }
};

Difference compare(std::uint64_t first, std::span<const std::byte> found, std::span<const std::byte> truth,
                   std::size_t size) {
  Difference difference;
  if (std::memcmp(found.data(), truth.data(), found.size()) == 0) return difference;
  for (std::size_t offset = 0; offset < found.size(); offset += size) {
    const auto value = found.subspan(offset, size);
    const auto right = truth.subspan(offset, size);
    if (std::ranges::equal(value, right)) continue;
    if (difference.wrong++ > 0) continue;
    difference.first = first + offset / size;
    difference.found = hexadecimal(value);
    difference.expected = hexadecimal(right);
  }
  return difference;
}

/// What is wrong with elements beside their number; empty if nothing is.
std::string beyond(const Allowance& allowance, const ElementComparison& all, double error_norm,
                   const std::string& output) {
  if (all.not_finite > 0)
    return fmt::format("{} elements of {} are not finite or must not be", all.not_finite, output);
  if (all.most_error > allowance.max_abs) {
    return fmt::format("an element of {} is off by {:.3g}, max_abs allows {:.3g}", output, all.most_error,
                       allowance.max_abs);
  }
  if (std::isfinite(allowance.rel_l2) && !(error_norm <= allowance.rel_l2)) {
    return fmt::format("{} differs from the truth by {:.3g} of its norm, rel_l2 allows {:.3g}", output,
                       error_norm, allowance.rel_l2);
  }
  return {};
}

/// `compare_slice` looks at a slice from element `first` on. Called from several threads at once.
template <class CompareSlice>
Verification compared(const ProblemSpec& spec, std::size_t buffer, const BufferReader& read,
                      const Allowance& allowance, const CompareSlice& compare_slice) {
  const BufferSpec& output = spec.buffers.at(buffer);
  ElementComparison all;
  std::mutex mutex;
  read_slices(spec, buffer, read, [&](std::uint64_t first, std::span<const std::byte> slice) {
    ElementComparison part;
    compare_slice(first, slice, part);
    const std::lock_guard lock(mutex);
    all.add(part);
  });

  Verification outcome;
  outcome.checked = output.count;
  outcome.not_a_number = all.not_a_number;
  outcome.error_norm = all.truth_squares > 0 ? std::sqrt(all.error_squares / all.truth_squares)
                                             : std::sqrt(all.error_squares);
  outcome.worst_error = all.worst.error;
  outcome.worst_tolerance = all.worst.tolerance;
  if (all.worst.index != no_element)
    outcome.worst_element = fmt::format("{}[{}]", output.name, all.worst.index);
  if (std::isfinite(allowance.rel_l2)) outcome.tolerance_norm = allowance.rel_l2;
  const double may_be_wrong = std::floor(allowance.share * static_cast<double>(output.count));
  const bool few = !allowance.by_element || static_cast<double>(all.wrong) <= may_be_wrong;
  if (few) outcome.reason = beyond(allowance, all, outcome.error_norm, output.name);
  outcome.ok = few && outcome.reason.empty();
  if (!few) {
    outcome.reason = fmt::format(
        "{} of {} elements of {} are wrong, the first is number {}; the worst is {} = {:.9g}, expected "
        "{:.9g} ± {:.3g}",
        all.wrong, output.count, output.name, all.first_wrong, outcome.worst_element, all.worst.value,
        all.worst.truth, all.worst.tolerance);
    if (may_be_wrong > 0) outcome.reason += fmt::format("; {} may be", may_be_wrong);
    if (all.not_a_number > 0) {
      outcome.reason += fmt::format("; {} are NaN or were never written", all.not_a_number);
    }
  }
  return outcome;
}

}  // namespace

void read_slices(const ProblemSpec& spec, std::size_t buffer, const BufferReader& read,
                 const SliceCheck& check) {
  const BufferSpec& output = spec.buffers.at(buffer);
  const std::size_t size = size_of(output.type);
  std::vector<std::byte> piece(std::min(piece_bytes, output.bytes()));
  for (std::uint64_t offset = 0; offset < output.bytes(); offset += piece.size()) {
    const std::span bytes =
        std::span(piece).first(std::min<std::uint64_t>(piece.size(), output.bytes() - offset));
    read(buffer, offset, bytes);
    const unsigned threads = bytes.size() < small_bytes ? 1 : 0;
    fill_parallel(offset / size, bytes, size, threads, check);
  }
}

Verification check_elements(const ProblemSpec& spec, std::size_t buffer, const ElementTruth& truth,
                            const BufferReader& read, const Allowance& allowance) {
  const DType type = spec.buffers.at(buffer).type;
  const auto compare_slice = [&](std::uint64_t first, std::span<const std::byte> slice,
                                 ElementComparison& part) {
    const std::size_t count = slice.size() / size_of(type);
    std::vector<double> expected(count);
    std::vector<double> tolerance(count);
    truth(first, expected, tolerance);
    with_element_type(type, [&]<class T>(std::type_identity<T>) {
      const auto* values = reinterpret_cast<const T*>(slice.data());
      for (std::size_t i = 0; i < count; ++i) {
        part.compare(first + i, static_cast<double>(values[i]), expected[i], tolerance[i]);
      }
    });
  };
  return compared(spec, buffer, read, allowance, compare_slice);
}

Verification check_whole(const ProblemSpec& spec, std::size_t buffer,
                         const std::vector<std::uint64_t>& truth, const Tolerance& allowed,
                         const BufferReader& read, const Allowance& allowance) {
  const auto compare_as = [&]<class Whole>(std::type_identity<Whole>) {
    return compared(spec, buffer, read, allowance,
                    [&](std::uint64_t first, std::span<const std::byte> slice, ElementComparison& part) {
                      const auto* values = reinterpret_cast<const Whole*>(slice.data());
                      for (std::size_t i = 0; i < slice.size() / sizeof(Whole); ++i) {
                        const auto right = static_cast<Whole>(truth.at(first + i));
                        part.compare_whole(first + i, values[i], right,
                                           allowed.of(static_cast<double>(right)));
                      }
                    });
  };
  Verification outcome = spec.buffers.at(buffer).type == DType::i64
                             ? compare_as(std::type_identity<std::int64_t>{})
                             : compare_as(std::type_identity<std::uint64_t>{});
  if (!outcome.ok) outcome.reason += fmt::format(", off by {:.17g}", outcome.worst_error);
  return outcome;
}

Verification check_bits(const ProblemSpec& spec, std::size_t buffer, const BitTruth& truth,
                        const BufferReader& read) {
  const BufferSpec& output = spec.buffers.at(buffer);
  const std::size_t size = size_of(output.type);
  Difference all;
  std::mutex mutex;
  read_slices(spec, buffer, read, [&](std::uint64_t first, std::span<const std::byte> slice) {
    std::vector<std::byte> expected(slice.size());
    truth(first * size, expected);
    const Difference part = compare(first, slice, expected, size);
    const std::lock_guard lock(mutex);
    all.add(part);
  });
  Verification outcome;
  outcome.checked = output.count;
  outcome.ok = all.wrong == 0;
  if (outcome.ok) return outcome;
  outcome.error_norm = static_cast<double>(all.wrong) / static_cast<double>(output.count);
  outcome.worst_element = fmt::format("{}[{}]", output.name, all.first);
  outcome.reason = fmt::format("{} of {} elements of {} are wrong, the first is number {}: {}, expected {}",
                               all.wrong, output.count, output.name, all.first, all.found, all.expected);
  return outcome;
}

Verification check_word(const ProblemSpec& spec, std::size_t buffer, std::uint64_t word,
                        const BufferReader& read) {
  const auto expected = static_cast<std::uint32_t>(word);
  return check_bits(
      spec, buffer,
      [&](std::uint64_t /*first*/, std::span<std::byte> out) {
        std::memcpy(out.data(), &expected, sizeof expected);
      },
      read);
}

Reference seed_reference(std::uint64_t seed) {
  Reference reference;
  reference.indices["seed"] = {seed};
  return reference;
}

std::uint64_t seed_of(const Reference& reference) { return reference.indices.at("seed").at(0); }

Verification merge(const Verification& a, const Verification& b) {
  Verification both = a.ok && !b.ok ? b : a;
  if (a.ok == b.ok && b.error_norm > a.error_norm) both = b;
  both.checked = a.checked + b.checked;
  both.not_a_number = a.not_a_number + b.not_a_number;
  if (!a.ok && !b.ok) both.reason = a.reason + "; " + b.reason;
  return both;
}

double unit_roundoff(std::string_view precision) {
  if (precision == "f64") return 0x1p-53;
  if (precision == "f32") return 0x1p-24;
  if (precision == "tf32" || precision == "f16") return 0x1p-11;
  if (precision == "bf16") return 0x1p-8;
  const auto type = parse_enum<DType>(precision);
  if (type && is_whole(*type)) return 0;
  throw ProblemError(
      fmt::format("unknown precision '{}': use one of f64, f32, tf32, f16, bf16", precision));
}

}  // namespace benchctl
