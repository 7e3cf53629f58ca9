#include "sweep/catalogue.hpp"

#include "config/config.hpp"
#include "model/words.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

class Adding {
 public:
  Adding(Catalogue& catalogue, const Config& config)
      : catalogue_(catalogue), config_(config), reporter_(config.reporter()) {}

  void run() {
    for (const KernelEntry& kernel : config_.kernels) add(kernel);
    for (const KernelEntry& kernel : config_.kernels) check_choice(kernel);
    reporter_.throw_if_any();
  }

 private:
  void add(const KernelEntry& kernel) {
    const auto backend = std::ranges::find(catalogue_.backends, kernel.backend, &BackendEntry::name);
    VariantInfo variant = kernel.variant;
    std::vector<const Sweep*> sweeps;
    for (const Sweep& sweep : config_.sweeps) {
      if (!kernel.open_tunables.empty() && selects(sweep, kernel)) sweeps.push_back(&sweep);
    }
    for (const Word& open : kernel.open_tunables) settle(open, sweeps, variant);
    if (backend == catalogue_.backends.end()) {
      const auto absent = std::ranges::find(catalogue_.absent, kernel.backend, &AbsentBackend::name);
      if (absent == catalogue_.absent.end()) return unknown_backend(kernel);
      absent->variants.push_back(std::move(variant));
      return;
    }
    if (backend->find_variant(variant.workload, variant.name) != nullptr) {
      reporter_.error(kernel.name_position,
                      fmt::format("backend '{}' has a variant '{}' of workload '{}' already",
                                  kernel.backend, variant.name, variant.workload),
                      "another name");
      return;
    }
    backend->own_folders[BackendEntry::key_of(variant)] = kernel.folder;
    backend->variants.push_back(std::move(variant));
  }

  /// The variants of a choice must exist and be judged by its precision.
  void check_choice(const KernelEntry& kernel) {
    const BackendEntry* backend = catalogue_.find(kernel.backend);
    if (backend == nullptr) return;
    for (std::size_t i = 0; i < kernel.variant.among.size(); ++i) {
      const std::string& name = kernel.variant.among[i];
      const VariantInfo* base = backend->find_variant(kernel.variant.workload, name);
      const Position position = kernel.among_positions.at(i);
      if (base == nullptr) {
        std::vector<std::string> names;
        for (const VariantInfo& variant : backend->variants) {
          if (variant.workload == kernel.variant.workload && variant.among.empty())
            names.push_back(variant.name);
        }
        reporter_.unknown_name(
            position, name,
            fmt::format("kernel '{}' is a choice among unknown variants: '{}'", kernel.variant.name, name),
            names);
      } else if (!base->among.empty()) {
        reporter_.error(position,
                        fmt::format("kernel '{}': '{}' is a choice itself", kernel.variant.name, name),
                        "the variants that it is among");
      } else if (base->precision != kernel.variant.precision) {
        reporter_.error(position,
                        fmt::format("kernel '{}' is judged by precision '{}', but '{}' by '{}'",
                                    kernel.variant.name, kernel.variant.precision, name, base->precision),
                        fmt::format("precision = \"{}\"", base->precision));
      }
    }
  }

  void unknown_backend(const KernelEntry& kernel) {
    reporter_.unknown_name(
        kernel.backend_position, kernel.backend,
        fmt::format("kernel '{}': unknown backend '{}'", kernel.variant.name, kernel.backend),
        catalogue_.backend_names());
  }

  static bool selects(const Sweep& sweep, const KernelEntry& kernel) {
    const auto means_it = [&](const Word& word) { return selects_variant(word.text, kernel.variant); };
    return sweep.workload.text == kernel.variant.workload && sweep.takes_backend(kernel.backend) &&
           (!sweep.variants || std::ranges::any_of(*sweep.variants, means_it));
  }

  /// Every sweep that has the kernel must say what the tunable is; the first value stands for a default,
  /// which no point ever has.
  void settle(const Word& open, const std::vector<const Sweep*>& sweeps, VariantInfo& variant) {
    const Workload* workload = config_.workloads.find(variant.workload);
    if (workload != nullptr && workload->trusted_kernel() == variant.name) {
      reporter_.error(
          open.position,
          fmt::format(
              "kernel '{}' says what is right for workload '{}', so its tunable '{}' needs a default",
              variant.name, variant.workload, open.text),
          fmt::format("{} = … in the kernel's tunables", open.text));
      return;
    }
    TunableInfo& tunable = *find_by(variant.tunables, open.text, &TunableInfo::name);
    bool settled = false;
    for (const Sweep* sweep : sweeps) {
      const Axis* own = find_by(sweep->axes, open.text, &Axis::name);
      if (own == nullptr) {
        reporter_.error(
            sweep->position,
            fmt::format("sweep '{}' gives no value to '{}' of kernel '{}' (line {}), which has no default",
                        sweep->name, open.text, variant.name, open.position.line),
            fmt::format("{0} = [...] in its parameters, or {0} in the kernel's tunables", open.text));
        return;
      }
      if (!settled) tunable.default_value = own->values.front();
      settled = true;
    }
  }

  Catalogue& catalogue_;
  const Config& config_;
  Reporter reporter_;
};

}  // namespace

const TunableInfo& twin_tunable() {
  static const TunableInfo twin{
      "twin",
      std::int64_t{1},
      "No effect: makes distinct points of one implementation, for comparing it with itself.",
      {"twin >= 1"},
      {std::int64_t{1}, std::int64_t{2}}};
  return twin;
}

void add_own_kernels(Catalogue& catalogue, const Config& config) { Adding(catalogue, config).run(); }

}  // namespace benchctl
