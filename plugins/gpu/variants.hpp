// Entries of variant tables that backends share, one function per workload. They are written once, in the
// words of OpenCL; Language has what a backend does otherwise.
#pragma once

#include <benchctl/variant.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace benchctl::gpu {

/// In what the entries of one backend differ from those of others.
struct Language {
  std::string suffix;           ///< suffix of kernel files, which are named alike everywhere: `.cl`
  std::int64_t block_step = 1;  ///< the size of a work-group is a multiple of it
  std::vector<Value> blocks = {std::int64_t{1}, std::int64_t{64}, std::int64_t{256}};  ///< worth trying
  bool vectors = true;          ///< types of up to 16 elements; else an access has at most 16 bytes
  std::vector<std::pair<std::string, std::string>> words = {};  ///< OpenCL's words, and what replaces them
  std::vector<std::string> architectures = {};                  ///< VariantInfo::architectures of all
  std::vector<DeviceType> device_types = {};  ///< device types of all variants, if not empty
};

[[nodiscard]] std::vector<VariantInfo> access_variants(const Language& language);
[[nodiscard]] std::vector<VariantInfo> bank_conflicts_variants(const Language& language);
[[nodiscard]] std::vector<VariantInfo> constant_broadcast_variants(const Language& language);
[[nodiscard]] std::vector<VariantInfo> copy_variants(const Language& language);
[[nodiscard]] std::vector<VariantInfo> latency_variants(const Language& language);
[[nodiscard]] std::vector<VariantInfo> matmul_variants(const Language& language);
[[nodiscard]] std::vector<VariantInfo> peaks_variants(const Language& language);
[[nodiscard]] std::vector<VariantInfo> reduce_variants(const Language& language);
/// Those that load packs of elements, where no shuffles join the values of work-items.
[[nodiscard]] std::vector<VariantInfo> reduce_pack_variants(const Language& language);
[[nodiscard]] std::vector<VariantInfo> shared_stride_variants(const Language& language);
[[nodiscard]] std::vector<VariantInfo> spin_variants(const Language& language);
[[nodiscard]] std::vector<VariantInfo> transpose_variants(const Language& language);
[[nodiscard]] std::vector<VariantInfo> vec3_variants(const Language& language);
[[nodiscard]] std::vector<VariantInfo> vector_add_variants(const Language& language);

/// The rest is for further variants, which go through `translated` too.

[[nodiscard]] VariantInfo variant_of(const std::string& workload, const std::string& name,
                                     const std::string& doc, std::vector<DType> dtypes = {});
/// `block`, the work-items of a work-group.
[[nodiscard]] TunableInfo block_tunable(const Language& language, std::int64_t default_value = 256);
/// `width`, the elements of an access.
[[nodiscard]] TunableInfo width_tunable(const Language& language);

/// `step` is behind the variant in the name of the kernel.
[[nodiscard]] LaunchSpec reduce_launch(const std::string& variant, const std::string& step,
                                       const std::string& grid, std::vector<ArgumentSpec> arguments);
/// A launch of as many groups as fit the device, of which each work-item reads `elements` elements at
/// `place`, time after time; a second one for the partial values of the groups.
[[nodiscard]] VariantInfo reduce_resident(const Language& language, const char* name, const char* doc,
                                          const std::string& elements, const std::string& place = "i");
/// Each work-item reads `elements` elements at `place`, `times` times.
void reduce_reads(VariantInfo& variant, const std::string& elements, const std::string& place,
                  const std::string& times, std::size_t launch = 0);
/// Reads the device's clock until the time is over; `clocks` says in words what it reads.
[[nodiscard]] VariantInfo spin_clock(const std::string& clocks);
/// 16-byte accesses everywhere, for matrices of any shape.
[[nodiscard]] VariantInfo transpose_swizzled(const Language& language);

/// Entries in a backend's language.
[[nodiscard]] std::vector<VariantInfo> translated(std::vector<VariantInfo> variants,
                                                  const Language& language);

}  // namespace benchctl::gpu
