#include "conformance/checks.hpp"
#include "expr/expression.hpp"
#include "model/point.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace benchctl::conformance {

namespace {

using Names = std::set<std::string, std::less<>>;

bool valid_name(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// What may not be a tunable's name: it already means something to a config.
const Names taken{"cache", "launch", "basis", "layout", "backend", "variant", "device_type", "twin"};
/// What an access pattern may name of a thread's place.
const Names places{"i", "t", "tx", "ty", "tz", "bx", "by", "bz"};

/// The plan of a kernel for the first problem that it takes, on a device that has all it wants. Throws
/// Trouble with `without` and the reason if there is no such problem.
template <class Trouble>
KernelPlan plan_of(Subject& subject, const VariantInfo& variant, const std::string& without) {
  DeviceInfo device;
  device.compute_units = 8;
  device.fp64 = device.fp16 = true;
  if (!variant.device_types.empty()) device.type = variant.device_types.front();
  device.features = variant.features;
  BackendEntry alone = subject.entry();
  alone.variants = {variant};
  alone.variants[0].wrong_on_purpose = false;
  const Cases cases = cases_of(alone, device, false);
  if (cases.runnable.empty()) throw Trouble(without + cases.without.begin()->second);
  return *candidates_of(cases.runnable.front().on(alone, device)).front().plan;
}

class TableCheck {
 public:
  TableCheck(Subject& subject, const VariantInfo& variant) : subject_(subject), variant_(variant) {}

  void run() {
    identity();
    for (const TunableInfo& tunable : variant_.tunables) check_tunable(tunable);
    types();
    if (variant_.kernel) derived();
    for (const std::string& text : variant_.require) expression("require", text, known_);
    if (variant_.kernel) kernel();
    if (!variant_.among.empty()) among();
    access();
  }

 private:
  void identity() {
    want(valid_name(variant_.name),
         "its name is not made of lower-case letters, digits and '_', as configs want it");
    workload_ = Workloads::built_in().find(variant_.workload);
    if (workload_ == nullptr) {
      std::vector<std::string_view> names;
      for (const Workload* one : Workloads::built_in().all()) names.push_back(one->name());
      throw Broken(fmt::format("there is no workload '{}'; there are {}", variant_.workload,
                               fmt::join(names, ", ")));
    }
    want(!variant_.doc.empty(), "it has no doc: one sentence, the idea and the limit to expect");
    for (const ParameterInfo& parameter : workload_->parameters()) known_.insert(parameter.name);
    known_.insert({"layout", "compute_units", "warp", "last_level_cache"});
  }

  void check_tunable(const TunableInfo& tunable) {
    const auto wants = [&](bool holds, const char* text) {
      want(holds, fmt::format("tunable '{}' {}", tunable.name, text));
    };
    wants(valid_name(tunable.name), "is not made of lower-case letters, digits and '_'");
    wants(!taken.contains(tunable.name) && known_.insert(tunable.name).second,
          "has a name that a problem parameter, a device's value, a measure key or another tunable has");
    wants(!tunable.doc.empty(), "has no doc");
    for (const Value& value : tunable.values) {
      wants(value.index() == tunable.default_value.index(),
            "lists a value of another type than its default");
    }
    const bool listed = std::ranges::find(tunable.values, tunable.default_value) != tunable.values.end();
    wants(!std::holds_alternative<std::string>(tunable.default_value) || tunable.values.empty() || listed,
          "has a default that is not among its values");
  }

  void types() {
    const auto has = [](const auto& all, const std::string& one) {
      return std::ranges::find(all, one) != all.end();
    };
    const auto parameters = workload_->parameters();
    const auto dtype = std::ranges::find(parameters, "dtype", &ParameterInfo::name);
    if (dtype != parameters.end()) {
      want(!variant_.dtypes.empty(), "it takes no dtype; list those that it supports");
      for (const DType type : variant_.dtypes) {
        want(has(dtype->choices, std::string(to_string(type))),
             fmt::format("it takes dtype {}, which the workload does not have ({})", to_string(type),
                         fmt::join(dtype->choices, ", ")));
      }
    }
    for (const std::string& layout : variant_.layouts) {
      want(has(workload_->layouts(), layout),
           fmt::format("it takes layout '{}', which the workload does not have", layout));
    }
    static const Names precisions{"dtype", "f64", "f32", "tf32", "f16", "bf16"};
    want(precisions.contains(variant_.precision),
         fmt::format("precision '{}' is not one of {}", variant_.precision, fmt::join(precisions, ", ")));
    for (const TunableInfo& tunable : variant_.tunables) {
      for (const std::string& text : tunable.require) expression("tunable " + tunable.name, text, known_);
    }
  }

  void derived() {
    for (const auto& [name, text] : variant_.kernel->derived) {
      expression("derived value " + name, text, known_);
      want(valid_name(name),
           fmt::format("derived value '{}' is not made of lower-case letters, digits and '_'", name));
      want(!taken.contains(name) && !places.contains(name) && known_.insert(name).second,
           fmt::format("derived value '{}' has a name that already has another meaning", name));
    }
  }

  void kernel() {
    const KernelSpec& spec = *variant_.kernel;
    if (!spec.effort.empty()) expression("effort", spec.effort, known_);
    want(!spec.launches.empty(), "its kernel has no launches");
    for (const LaunchSpec& launch : spec.launches) {
      const auto file = subject_.entry().kernel_directory / launch.source;
      want(std::filesystem::is_regular_file(file),
           fmt::format("there is no kernel file {}: name it after KERNELS in benchctl_add_plugin", file));
      for (const auto& [macro, text] : launch.defines) expression("define " + macro, text, known_);
      for (const auto& [name, text] : launch.extras) expression("extra " + name, text, known_);
      expression("when", launch.when, known_);
    }
    // Everything else is evaluated where it will be, on the first problem that it takes.
    try {
      static_cast<void>(plan_of<Broken>(subject_, variant_, "no problem can be run: "));
    } catch (const Failure& failure) {
      throw Broken(failure.what());
    }
  }

  void among() {
    want(!variant_.kernel, "it is a choice and has a kernel of its own: one or the other");
    for (const std::string& name : variant_.among) {
      const VariantInfo* base = subject_.entry().find_variant(variant_.workload, name);
      const auto wants = [&](bool holds, const char* text) {
        want(holds, fmt::format("it is a choice among variants, but '{}' {}", name, text));
      };
      wants(base != nullptr, "is not a variant of its workload");
      wants(base->among.empty(), "is a choice itself");
      wants(base->precision == variant_.precision, "has another precision, by which results are judged");
      wants(base->compute_path == variant_.compute_path,
            "has another compute_path, which decides the roof that a time is compared with");
    }
  }

  void access() {
    Names names = known_;
    names.insert(places.begin(), places.end());
    for (const AccessSpec& access : variant_.access) {
      for (const std::string* text : {&access.offset, &access.bytes, &access.active, &access.times}) {
        expression("access to " + access.operand, *text, names);
      }
      if (!access.threads.empty()) expression("access to " + access.operand, access.threads, known_);
      const std::size_t launches = variant_.kernel ? variant_.kernel->launches.size() : 0;
      want(!access.threads.empty() || access.launch < launches,
           fmt::format("the access to {} belongs to launch {}, but there are {} launches; a native variant "
                       "declares `threads`",
                       access.operand, access.launch, launches));
    }
  }

  void expression(const std::string& where, const std::string& text, const Names& names) const {
    try {
      for (const std::string& name : parsed_expression(text).names()) {
        want(names.contains(name),
             fmt::format("{} = \"{}\" names '{}', which is not a parameter, tunable or device value", where,
                         text, name));
      }
    } catch (const ExpressionError& error) {
      throw Broken(fmt::format("{} = \"{}\" is not a valid expression: {}", where, text, error.what()));
    }
  }

  Subject& subject_;
  const VariantInfo& variant_;
  const Workload* workload_ = nullptr;
  Names known_;
};

constexpr const char* no_problem = "no problem to compile it for: ";

/// Architectures that a variant claims, or, if it claims none, those of the devices that are here. Throws
/// NotPossible if there are none.
std::vector<std::string> architectures_of(Subject& subject, const VariantInfo& variant) {
  if (!variant.architectures.empty()) return variant.architectures;
  std::vector<std::string> here;
  for (const Lane& lane : subject.task().lanes) {
    if (!lane.device.architecture.empty()) here.push_back(lane.device.architecture);
  }
  if (here.empty()) throw NotPossible("it claims no architecture, and there is no device to ask for one");
  return here;
}

void compiles(Subject& subject, const VariantInfo& variant) {
  const std::vector<std::string> architectures = architectures_of(subject, variant);
  const auto plan = plan_of<NotPossible>(subject, variant, no_problem);
  const std::size_t wanted = subject.full() ? architectures.size() : 1;
  for (std::size_t i = 0; i < wanted; ++i) {
    static_cast<void>(subject.backend().compile(plan, architectures[i], subject.options()));
    want(subject.backend().compile(plan, architectures[i], subject.options()).cached,
         fmt::format("for {}: the second compilation did not come from the cache; `prepare` would not find "
                     "it there either",
                     architectures[i]));
  }
}

void rejects_garbage(Subject& subject, const VariantInfo& variant) {
  const std::vector<std::string> architectures = architectures_of(subject, variant);
  auto plan = plan_of<NotPossible>(subject, variant, no_problem);
  replace_by_garbage(plan.launches[0], subject);
  try {
    static_cast<void>(subject.backend().compile(plan, architectures[0], subject.options()));
  } catch (const Failure& failure) {
    if (failure.kind() == FailureKind::compile_error) return;
    throw Broken(fmt::format(
        "a kernel with invalid source must be a compile_error with the compiler's log, not {}: {}",
        to_string(failure.kind()), failure.what()));
  }
  throw Broken("a kernel with invalid source was compiled");
}

}  // namespace

void check_variants(Subject& subject, Trials& trials) {
  trials.add("there are some, with unique names, the same at every call", [&] {
    Backend& backend = subject.backend();
    std::set<std::string> names;
    for (const VariantInfo& variant : subject.entry().variants) {
      want(names.insert(variant.workload + "/" + variant.name).second,
           fmt::format("two variants are called {}/{}", variant.workload, variant.name));
    }
    want(!names.empty(), "the table is empty");
    want(backend.variants().data() == backend.variants().data(),
         "variants() gives another table at every call; it must be static data, others point into it");
  });
  for (const VariantInfo& variant : subject.entry().variants) {
    trials.add(fmt::format("{}/{}", variant.workload, variant.name),
               [&subject, variant] { TableCheck(subject, variant).run(); });
  }
}

void check_compiler(Subject& subject, Trials& trials) {
  if (!subject.backend().compiles_offline()) {
    trials.skip("without a device", "compiles_offline() says no");
    return;
  }
  std::set<std::string> workloads;
  bool first = true;
  for (const VariantInfo& variant : subject.entry().variants) {
    if (!variant.kernel || variant.wrong_on_purpose) continue;
    if (!subject.full() && !workloads.insert(variant.workload).second) continue;
    trials.add(fmt::format("{}/{}", variant.workload, variant.name),
               [&subject, variant] { compiles(subject, variant); });
    if (first)
      trials.add("garbage is rejected", [&subject, variant] { rejects_garbage(subject, variant); });
    first = false;
  }
  if (first) trials.skip("without a device", "no variant is a kernel file");
}

}  // namespace benchctl::conformance
