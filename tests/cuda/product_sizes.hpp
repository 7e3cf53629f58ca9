// Products of every kind that the choice of a tiling tells apart.
#pragma once

#include "plugin_under_test.hpp"
#include "product_tilings.hpp"

#include <array>
#include <string_view>

namespace benchctl::test {

/// Shared memory that one block may use on GPUs of an architecture.
constexpr std::uint64_t shared_bytes_of(std::string_view architecture) {
  return (architecture == "sm_80" ? 163 : architecture == "sm_120" ? 99 : 227) * 1024;
}

/// Of A (m×k) · B (k×n) in numbers of `type`.
inline ProblemSpec product_problem(const cuda::ProductSize& size, DType type) {
  return matmul_problem({static_cast<std::int64_t>(size.m), static_cast<std::int64_t>(size.n),
                         static_cast<std::int64_t>(size.k), type});
}

inline constexpr std::array<cuda::ProductSize, 33> product_sizes{
    {{555, 555, 555},    {900, 900, 900},    {1400, 1400, 1400}, {1700, 1700, 1700}, {1, 1, 1},
     {32, 4096, 4096},   {17, 33, 100000},   {4096, 4096, 32},   {4096, 1, 4096},    {1, 4096, 4096},
     {100, 100, 100},    {512, 512, 512},    {1000, 1000, 1000}, {2048, 2048, 2048}, {4001, 3999, 4003},
     {100000, 70, 9},    {256, 256, 16384},  {401, 333, 9001},   {500, 900, 4000},   {1900, 2048, 2048},
     {1280, 1280, 1280}, {1501, 1501, 1501}, {650, 350, 7000},   {9, 7482, 662},     {12, 5001, 701},
     {15, 4096, 778},    {591, 3043, 499},   {703, 141, 1343},   {3214, 1145, 447},  {1702, 1702, 1702},
     {3001, 62, 5001},   {2501, 555, 339},   {901, 1102, 3001}}};

/// Of products with few columns or rows.
inline constexpr std::array<cuda::ProductSize, 9> skinny_sizes{{{1001, 7, 1001},
                                                                {4096, 16, 4096},
                                                                {32, 32, 100000},
                                                                {16, 4096, 1024},
                                                                {5, 869, 5494},
                                                                {9, 3601, 2006},
                                                                {10, 1287, 3989},
                                                                {12, 4096, 1921},
                                                                {14, 999, 3001}}};

/// Of a matrix and up to four vectors.
inline constexpr std::array<cuda::ProductSize, 12> vector_sizes{{{4096, 1, 1024},
                                                                 {4096, 1, 4096},
                                                                 {4096, 1, 1001},
                                                                 {1000, 2, 20000},
                                                                 {4001, 3, 2001},
                                                                 {100, 4, 100000},
                                                                 {1, 4096, 1024},
                                                                 {1, 50000, 1000},
                                                                 {2, 2000, 8000},
                                                                 {3, 2001, 4001},
                                                                 {4, 4096, 4096},
                                                                 {4, 1001, 1001}}};

/// Of products of which C is small beside A or B.
inline constexpr std::array<cuda::ProductSize, 13> strip_sizes{{{4096, 32, 4096},
                                                                {4096, 16, 4096},
                                                                {20000, 24, 512},
                                                                {3000, 28, 1777},
                                                                {3001, 27, 1777},
                                                                {5000, 40, 2000},
                                                                {4096, 64, 4096},
                                                                {64, 64, 65536},
                                                                {128, 128, 65537},
                                                                {32, 32, 100000},
                                                                {2500, 50, 1501},
                                                                {3001, 63, 1777},
                                                                {781, 465, 127}}};

}  // namespace benchctl::test
