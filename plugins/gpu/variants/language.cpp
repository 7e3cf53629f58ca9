#include "gpu/variants.hpp"

namespace benchctl::gpu {

namespace {

void translate(std::string& text, const Language& language) {
  for (const auto& [word, other] : language.words) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
      text.replace(at, word.size(), other);
      at += other.size();
    }
  }
}

}  // namespace

VariantInfo variant_of(const std::string& workload, const std::string& name, const std::string& doc,
                       std::vector<DType> dtypes) {
  VariantInfo variant;
  variant.workload = workload;
  variant.name = name;
  variant.doc = doc;
  variant.dtypes = std::move(dtypes);
  return variant;
}

TunableInfo block_tunable(const Language& language, std::int64_t default_value) {
  const std::string step = std::to_string(language.block_step);
  TunableInfo tunable{
      "block", default_value, "Work-items per work-group.", {"block >= " + step}, language.blocks};
  if (language.block_step > 1) tunable.require.push_back("block % " + step + " == 0");
  return tunable;
}

TunableInfo width_tunable(const Language& language) {
  if (language.vectors) {
    return {"width",
            std::int64_t{4},
            "Elements of a vector.",
            {"width == 2 or width == 4 or width == 8 or width == 16"},
            {std::int64_t{2}, std::int64_t{4}, std::int64_t{16}}};
  }
  return {"width",
          std::int64_t{2},
          "Elements per access; with their size at most 16 bytes.",
          {"width == 1 or width == 2 or width == 4", "width * sizeof(dtype) <= 16"},
          {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}}};
}

std::vector<VariantInfo> translated(std::vector<VariantInfo> variants, const Language& language) {
  for (VariantInfo& variant : variants) {
    translate(variant.doc, language);
    for (TunableInfo& tunable : variant.tunables) translate(tunable.doc, language);
    if (!language.architectures.empty()) variant.architectures = language.architectures;
    if (!language.device_types.empty()) variant.device_types = language.device_types;
    for (LaunchSpec& launch : variant.kernel->launches) {
      launch.source += language.suffix;
      if (!language.vectors) launch.defines.erase("USE_FP64");
    }
  }
  return variants;
}

}  // namespace benchctl::gpu
