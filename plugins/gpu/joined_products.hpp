// Table entries of products whose blocks compute parts of the sums and join them: the same in CUDA and
// OpenCL.
#pragma once

#include <benchctl/variant.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace benchctl::gpu {

/// Variants of `matmul` for products of few columns or rows, or a small C, in CUDA and OpenCL. `async`:
/// slabs come by cp.async. `shuffles`: threads join their sums between registers. `resident`: how many
/// blocks of skinny_rows a multiprocessor has registers for. Files have no suffix yet.
[[nodiscard]] VariantInfo strips(const char* name, bool async);
[[nodiscard]] VariantInfo vectors(const char* name, bool shuffles);
[[nodiscard]] VariantInfo skinny_rows(const std::string& resident);

/// A product whose blocks compute parts of the sums and join them. What is still to be derived: `tiles`
/// (pieces of C), `parts` (blocks that share one, each for a part of k), `part_bytes` (of the sums that a
/// block leaves for another to join), `counters` (of blocks that have ended) and `local_bytes`. `width` is
/// there: elements of 16 bytes.
[[nodiscard]] VariantInfo joined_product(const char* name, const char* kernel, const char* doc);
/// Derives part, parts and counters, and `chunk`, the steps of the smaller operand that are held, from
/// `tiles`, `stride` (steps of k at a time), `held_of_step` (elements) and the tunable `split_k`, which is
/// 0 for as many parts as make `at_once` blocks.
void share_out_k(VariantInfo& variant, const std::string& at_once);
void derive(VariantInfo& variant, const std::vector<std::pair<std::string, std::string>>& more);
/// Adds macros to its first launch.
void define(VariantInfo& variant, const std::vector<std::pair<std::string, std::string>>& more);

[[nodiscard]] TunableInfo tunable(const char* name, std::int64_t default_value, const char* doc,
                                  std::vector<std::string> require,
                                  std::initializer_list<std::int64_t> values);
[[nodiscard]] TunableInfo splits_tunable(const char* doc, std::int64_t most);
/// `name` is one of the powers of two from `least` to `most`.
[[nodiscard]] std::string power_of_two(const std::string& name, std::int64_t least, std::int64_t most);
/// The same tunable, whose best value depends on the problem's size.
[[nodiscard]] TunableInfo by_size(TunableInfo tunable);
/// The least power of two that is not below `value`, between `least` and `most`.
[[nodiscard]] std::string power_at_least(const std::string& value, std::int64_t least, std::int64_t most);
/// A tunable that is 0 where `otherwise` decides.
[[nodiscard]] std::string chosen(const std::string& name, const std::string& otherwise);

/// KernelSpec::effort of blocks that each multiply a tile, or one of `parts` of it along k: of the
/// compute unit that gets most of them, with as much again as fills its slabs. Where there are several
/// parts, one of them is written and all are read, at 32 bytes per cycle: each takes as long as `joining`
/// products of every element. Names `tiles`, `depth`, `stages`, and `persistent` if blocks may share tiles
/// out evenly.
[[nodiscard]] std::string effort_of_tiles(const std::string& parts, bool may_share = true,
                                          const std::string& joining = "16");

}  // namespace benchctl::gpu
