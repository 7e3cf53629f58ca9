// A problem with its inputs and reference in memory, and the workload's verdict on any C.
#pragma once

#include <cstring>

#include "workloads/plain_product.hpp"
#include "workloads/probed.hpp"

namespace benchctl::test {

template <class T>
struct Judge : Probed {
  Judge(std::size_t rows, std::size_t columns, std::size_t depth, std::uint64_t seed = 1)
      : Probed("matmul",
               {{"m", static_cast<std::int64_t>(rows)},
                {"n", static_cast<std::int64_t>(columns)},
                {"k", static_cast<std::int64_t>(depth)},
                {"dtype", std::string(own)}},
               seed),
        m(rows),
        n(columns),
        k(depth) {}

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
  std::span<const T> a = as<T>("A");
  std::span<const T> b = as<T>("B");
  mutable std::size_t largest_read = 0;
};

}  // namespace benchctl::test
