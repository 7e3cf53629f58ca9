#include "workloads/reduce_reference.hpp"

#include <benchctl/rounding.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

namespace benchctl {

namespace {

constexpr std::uint64_t piece_terms = std::uint64_t{1} << 14;
constexpr std::size_t lanes = 4;

/// A sum and what rounding took from it.
struct Compensated {
  double sum = 0;
  double lost = 0;

  void add(double term) {
    const double next = sum + term;
    lost += std::abs(sum) >= std::abs(term) ? (sum - next) + term : (term - next) + sum;
    sum = next;
  }
  void add(const Compensated& other) {
    add(other.sum);
    lost += other.lost;
  }
  [[nodiscard]] double value() const { return sum + lost; }
};

struct Piece {
  Compensated sum;
  Compensated squares;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  std::uint64_t not_a_number = 0;
  std::uint64_t plus_infinity = 0;
  std::uint64_t minus_infinity = 0;

  void add(double term) {
    if (std::isfinite(term)) {
      sum.add(term);
      squares.add(term * term);
      smallest = std::min(smallest, term);
      largest = std::max(largest, term);
    } else if (std::isnan(term)) {
      ++not_a_number;
    } else if (term > 0) {
      ++plus_infinity;
    } else {
      ++minus_infinity;
    }
  }
  void add(const Piece& other) {
    sum.add(other.sum);
    squares.add(other.squares);
    smallest = std::min(smallest, other.smallest);
    largest = std::max(largest, other.largest);
    not_a_number += other.not_a_number;
    plus_infinity += other.plus_infinity;
    minus_infinity += other.minus_infinity;
  }
};

/// Several sums side by side, since each addition waits for the one before it.
Piece sum_up(std::span<const double> terms) {
  std::array<Piece, lanes> side;
  for (std::size_t i = 0; i < terms.size(); ++i) side[i % lanes].add(terms[i]);
  for (std::size_t lane = 1; lane < lanes; ++lane) side[0].add(side[lane]);
  return side[0];
}

}  // namespace

ReductionSums reduce_terms(std::uint64_t n, const ReductionTerms& terms, unsigned threads) {
  const std::uint64_t count = ceil_div(n, piece_terms);
  std::vector<Piece> pieces(count);
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, count));

  std::atomic<std::uint64_t> next{0};
  std::exception_ptr error;
  std::mutex mutex;
  const auto work = [&] {
    try {
      std::vector<double> buffer(std::min(n, piece_terms));
      for (std::uint64_t i = next++; i < count; i = next++) {
        const std::uint64_t first = i * piece_terms;
        const std::span part = std::span(buffer).first(std::min(piece_terms, n - first));
        terms(first, part);
        pieces[i] = sum_up(part);
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (unsigned thread = 1; thread < threads; ++thread) helpers.emplace_back(work);
    work();
  }
  if (error) std::rethrow_exception(error);

  Piece all;
  for (const Piece& piece : pieces) all.add(piece);
  return {all.sum.value(),  all.squares.value(), all.smallest,      all.largest,
          all.not_a_number, all.plus_infinity,   all.minus_infinity};
}

}  // namespace benchctl
