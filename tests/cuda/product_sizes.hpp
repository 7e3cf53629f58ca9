// Products of every kind that the choice of a tiling tells apart.
#pragma once

#include "product_tilings.hpp"

#include <array>

namespace benchctl::test {

inline constexpr std::array<cuda::ProductSize, 16> product_sizes{{{555, 555, 555},
                                                                  {900, 900, 900},
                                                                  {1400, 1400, 1400},
                                                                  {1700, 1700, 1700},
                                                                  {1, 1, 1},
                                                                  {32, 4096, 4096},
                                                                  {17, 33, 100000},
                                                                  {4096, 4096, 32},
                                                                  {4096, 1, 4096},
                                                                  {1, 4096, 4096},
                                                                  {100, 100, 100},
                                                                  {512, 512, 512},
                                                                  {1000, 1000, 1000},
                                                                  {2048, 2048, 2048},
                                                                  {4001, 3999, 4003},
                                                                  {100000, 70, 9}}};

}  // namespace benchctl::test
