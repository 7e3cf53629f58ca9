// Variants of workload `access`.
#include "patterns/access.hpp"

#include "gpu/first_launch.hpp"
#include "gpu/variants.hpp"

namespace benchctl::gpu {

namespace {

VariantInfo variant(const Language& language, const char* name, const char* doc, std::int64_t block) {
  VariantInfo variant = variant_of("access", name, doc);
  variant.tunables = {block_tunable(language, block)};
  LaunchSpec launch;
  launch.source = std::string("access_") + name;
  launch.entry = std::string("access_") + name;
  launch.defines["WIDTH"] = "access_width";
  launch.block = {"block", "1", "1"};
  launch.grid = {"ceil_div(n, block)", "1", "1"};
  launch.arguments = {"in", "out", "n", "stride", "misalign"};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

void know_pattern(VariantInfo& variant) {
  first_launch(variant).defines["PATTERN"] = "pattern";
  first_launch(variant).defines["MASKED"] = "pattern == 'masked'";
}

VariantInfo access_plain(const Language& language) {
  VariantInfo info =
      variant(language, "plain",
              "One element or a few per work-item; limited by the DRAM bytes that the pattern "
              "touches if enough loads are under way.",
              256);
  know_pattern(info);
  info.tunables.push_back(
      {"unroll",
       std::int64_t{1},
       "Elements per work-item, one work-group apart, all loaded before the first is stored.",
       {"unroll == 1 or unroll == 2 or unroll == 4"},
       {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}}});
  LaunchSpec& launch = first_launch(info);
  launch.defines["UNROLL"] = "unroll";
  launch.grid = {"ceil_div(n, block * unroll)", "1", "1"};
  info.access = patterns::copy_of_elements();
  return info;
}

/// The grid holds as many blocks as make the threads: what occupancy would allow beyond that stays unused.
VariantInfo resident(const Language& language) {
  VariantInfo info =
      variant(language, "resident",
              "A chosen number of work-items, one element at a time each: limited by latency "
              "as long as they are few.",
              64);
  know_pattern(info);
  info.tunables.push_back(
      {"resident",
       std::int64_t{2048},
       "Work-items per compute unit, a multiple of block; more than a compute unit holds run in turn.",
       {"resident >= 1", "resident % block == 0"},
       {std::int64_t{64}, std::int64_t{256}, std::int64_t{1024}, std::int64_t{2048}}});
  first_launch(info).grid = {"compute_units * floor_div(resident, block)", "1", "1"};
  info.access = patterns::resident_copy();
  return info;
}

VariantInfo packed(const Language& language) {
  VariantInfo info =
      variant(language, "packed",
              "Neighbouring elements packed to one word per work-item; limited by memory bandwidth.", 256);
  info.tunables.push_back({"word",
                           std::int64_t{4},
                           "Bytes per access: 4, 8 or 16, at least those of an element.",
                           {"word == 4 or word == 8 or word == 16", "word >= access_width"},
                           {std::int64_t{4}, std::int64_t{8}, std::int64_t{16}}});
  info.require = {"pattern == 'linear'", "stride == 1", "misalign * access_width % word == 0"};
  LaunchSpec& launch = first_launch(info);
  launch.defines["WORD"] = "word";
  launch.grid = {"ceil_div(n * access_width, block * word)", "1", "1"};
  launch.arguments = {"in", "out", "n", "misalign"};
  info.access = patterns::packed_copy();
  return info;
}

}  // namespace

std::vector<VariantInfo> access_variants(const Language& language) {
  return translated({access_plain(language), resident(language), packed(language)}, language);
}

}  // namespace benchctl::gpu
