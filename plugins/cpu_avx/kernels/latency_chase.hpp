// Entry point of the pointer chase.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace benchctl::cpu_avx {

/// Where `steps` steps lead from word 0, each word that is visited holding the index of the next.
uint32_t latency_chase(const uint32_t* chain, size_t steps) noexcept;

}  // namespace benchctl::cpu_avx
