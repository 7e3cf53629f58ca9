// A problem with its inputs and reference in memory, and the workload's verdict on any C.
#pragma once

#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "workloads/plain_product.hpp"
#include "workloads/workload.hpp"

namespace benchctl::test {

template <class T>
struct Judge {
  Judge(std::size_t rows, std::size_t columns, std::size_t depth, std::uint64_t problem_seed = 1)
      : m(rows), n(columns), k(depth), seed(problem_seed), workload(*Workloads::built_in().find("matmul")) {
    spec = workload.problem({{"m", static_cast<std::int64_t>(m)},
                             {"n", static_cast<std::int64_t>(n)},
                             {"k", static_cast<std::int64_t>(k)},
                             {"dtype", std::string(sizeof(T) == 4 ? "f32" : "f64")}},
                            "");
    a.resize(m * k);
    b.resize(k * n);
    workload.generate(spec, 0, seed, 0, std::as_writable_bytes(std::span(a)));
    workload.generate(spec, 1, seed, 0, std::as_writable_bytes(std::span(b)));
    reference = workload.reference(spec, seed);
  }

  [[nodiscard]] Verification verdict(const std::vector<T>& c, std::string_view precision = own) const {
    return workload.check(
        spec, precision, reference, [&](std::size_t index, std::uint64_t offset, std::span<std::byte> out) {
          if (index != 2 || offset + out.size() > c.size() * sizeof(T)) {
            throw std::out_of_range("read past C");
          }
          largest_read = std::max(largest_read, out.size());
          std::memcpy(out.data(), reinterpret_cast<const std::byte*>(c.data()) + offset, out.size());
        });
  }
  [[nodiscard]] std::vector<T> naive() const { return naive_product<T>(a, b, m, n, k); }

  static constexpr std::string_view own = sizeof(T) == 4 ? "f32" : "f64";
  std::size_t m;
  std::size_t n;
  std::size_t k;
  std::uint64_t seed;
  const Workload& workload;
  ProblemSpec spec;
  std::vector<T> a;
  std::vector<T> b;
  Reference reference;
  mutable std::size_t largest_read = 0;
};

}  // namespace benchctl::test
