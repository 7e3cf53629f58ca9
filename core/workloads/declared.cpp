#include "workloads/declared.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "expr/expression.hpp"
#include "model/json.hpp"
#include "model/json_words.hpp"
#include "model/values.hpp"
#include "model/words.hpp"
#include "workloads/basic.hpp"

namespace benchctl {

BENCHCTL_JSON_RECORD(ParameterInfo, name, doc, default_value, is_text, choices, minimum, maximum)
BENCHCTL_JSON_RECORD(ArrayFile, buffer, path, digest)
BENCHCTL_JSON_RECORD(FillSpec, kind, first, second, numbers, file, other)
BENCHCTL_JSON_RECORD(BufferDeclaration, name, type, count, role, fill)
BENCHCTL_JSON_RECORD(ScalarDeclaration, name, type, value)
BENCHCTL_JSON_RECORD(DataProgram, run, digests, folder, is_judge, written, seconds, file, line, column)
BENCHCTL_JSON_RECORD(CheckDeclaration, kernel, kernel_digest, files, program, relative, absolute, share,
                     max_abs, rel_l2, any_order)
BENCHCTL_JSON_RECORD(WorkloadDeclaration, name, doc, parameters, buffers, scalars, flops, bytes_read,
                     bytes_written, check, data)

namespace {

/// Larger outputs are not looked at for a hint.
constexpr std::uint64_t most_reordered_bytes = std::uint64_t{64} << 20;

/// What counts name beside parameters. Throws std::invalid_argument if a count cannot be parsed.
Names size_tunables_of(const WorkloadDeclaration& declaration) {
  Names tunables;
  for (const BufferDeclaration& buffer : declaration.buffers) {
    try {
      for (const std::string& name : parsed_expression(buffer.count).names()) {
        if (std::ranges::find(declaration.parameters, name, &ParameterInfo::name) ==
            declaration.parameters.end())
          add_once(tunables, name);
      }
    } catch (const ExpressionError& error) {
      throw std::invalid_argument(
          fmt::format("count of buffer {} = \"{}\": {}", buffer.name, buffer.count, error.what()));
    }
  }
  return tunables;
}

/// By size, those that are not a number last.
void sort_elements(DType type, std::span<std::byte> bytes) {
  with_element_type(type, [&]<class T>(std::type_identity<T>) {
    const auto less = [](T a, T b) {
      if constexpr (std::is_integral_v<T>) {
        return a < b;
      } else {
        const auto x = static_cast<double>(a);
        const auto y = static_cast<double>(b);
        return std::isnan(y) ? !std::isnan(x) : x < y;
      }
    };
    std::ranges::sort(std::span(reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)), less);
  });
}

/// Numbers that come near to many elements of an output: its commonest, its mean, the middle of its range,
/// and zero. None where all elements are alike.
std::vector<double> guesses_of(const Reference& reference, const std::string& output) {
  std::vector<double> truth;
  if (const auto reals = reference.reals.find(output); reals != reference.reals.end())
    truth = reals->second;
  if (const auto whole = reference.indices.find(output); whole != reference.indices.end())
    truth.assign(whole->second.begin(), whole->second.end());
  std::erase_if(truth, [](double number) { return !std::isfinite(number); });
  std::ranges::sort(truth);
  if (truth.empty() || truth.front() == truth.back()) return {};
  double commonest = truth.front();
  std::size_t most = 0;
  double sum = 0;
  for (auto at = truth.begin(); at != truth.end();) {
    const auto end = std::upper_bound(at, truth.end(), *at);
    const auto count = static_cast<std::size_t>(end - at);
    if (count > most) commonest = *at;
    most = std::max(most, count);
    sum += *at * static_cast<double>(count);
    at = end;
  }
  return {commonest, sum / static_cast<double>(truth.size()), (truth.front() + truth.back()) / 2, 0};
}

class DeclaredWorkload final : public BasicWorkload {
 public:
  explicit DeclaredWorkload(WorkloadDeclaration declaration)
      : BasicWorkload({.name = declaration.name,
                       .doc = declaration.doc,
                       .parameters = declaration.parameters,
                       .buffers = declaration.buffers,
                       .scalars = declaration.scalars,
                       .flops = declaration.flops,
                       .bytes_read = declaration.bytes_read,
                       .bytes_written = declaration.bytes_written}),
        declaration_(std::move(declaration)),
        definition_(to_json_text(declaration_)),
        size_tunables_(size_tunables_of(declaration_)) {}

  [[nodiscard]] std::span<const std::string> size_tunables() const override { return size_tunables_; }
  [[nodiscard]] std::string trusted_kernel() const override { return declaration_.check.kernel; }
  [[nodiscard]] const DataProgram* data_program() const override {
    return declaration_.data.run.empty() ? nullptr : &declaration_.data;
  }
  [[nodiscard]] const DataProgram* judge_program() const override {
    return declaration_.check.program.run.empty() ? nullptr : &declaration_.check.program;
  }
  [[nodiscard]] std::vector<ArrayFile> data_files(const ProblemSpec& spec,
                                                  std::uint64_t seed) const override {
    const CheckDeclaration& check = declaration_.check;
    std::vector<ArrayFile> files;
    if (check.kernel.empty() && check.files.empty() && judge_program() == nullptr)
      files = truth_files(spec, seed);
    for (std::size_t i = 0; i < spec.buffers.size(); ++i) {
      if (fill_of(i).kind == FillSpec::Kind::data) files.push_back(data_file(spec, spec.buffers[i], seed));
    }
    return files;
  }
  [[nodiscard]] bool keeps_inputs() const override { return !declaration_.check.files.empty(); }
  [[nodiscard]] std::string definition() const override { return definition_; }
  [[nodiscard]] std::string content() const override {
    WorkloadDeclaration content = declaration_;
    for (ArrayFile& file : content.check.files) file.path.clear();
    for (BufferDeclaration& buffer : content.buffers) buffer.fill.file.path.clear();
    for (DataProgram* program : {&content.data, &content.check.program}) {
      const DataProgram places = std::exchange(*program, {});
      program->digests = places.digests;
      for (std::size_t i = 0; i < places.run.size(); ++i)
        program->run.push_back(places.digests[i].empty() ? places.run[i] : "");
    }
    return to_json_text(content);
  }

  void generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    const FillSpec& fill = fill_of(buffer);
    const BufferSpec& target = spec.buffers.at(buffer);
    if (fill.kind == FillSpec::Kind::data)
      return read_array(data_file(spec, target, seed), target.type, target.count, first, out);
    if (fill.kind != FillSpec::Kind::like) {
      return Fill(fill, target, spec.parameters).write(RandomStream(seed, buffer), first, out);
    }
    const std::size_t other = spec.buffer_index(fill.other).value();
    write_like(fill.first, Fill(fill_of(other), spec.buffers[other], spec.parameters), spec.buffers[other],
               spec.parameters, RandomStream(seed, other), first, out);
  }

  [[nodiscard]] Reference reference(const ProblemSpec& spec, std::uint64_t seed) const override {
    if (judge_program() != nullptr) return seed_reference(seed);
    Reference reference;
    const bool by_program = declaration_.check.files.empty();
    for (const ArrayFile& file : by_program ? truth_files(spec, seed) : declaration_.check.files) {
      const auto index = spec.buffer_index(file.buffer);
      const BufferSpec& buffer = spec.buffers.at(index.value());
      read_array(file, buffer.type, buffer.count, 0, {});  // before there is memory for what is not there
      std::vector<std::byte> bytes(buffer.bytes());
      read_array(file, buffer.type, buffer.count, 0, bytes);
      append(reference, buffer, bytes);
    }
    refuse_guesses(spec, reference);
    return reference;
  }

  [[nodiscard]] Reference reference_from(const ProblemSpec& spec, const BufferReader& read) const override {
    Reference reference;
    for (std::size_t i = 0; i < spec.buffers.size(); ++i) {
      const BufferSpec& buffer = spec.buffers[i];
      if (buffer.role == BufferRole::in) continue;
      std::vector<std::byte> bytes(buffer.bytes());
      read(i, 0, bytes);
      append(reference, buffer, bytes);
    }
    refuse_guesses(spec, reference);
    return reference;
  }

  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view precision,
                                   const Reference& reference, const BufferReader& read) const override {
    const Criteria allowed = criteria(spec.parameters, precision);
    std::optional<Verification> outcome;
    for (std::size_t buffer = 0; buffer < spec.buffers.size(); ++buffer) {
      const std::string& output = spec.buffers[buffer].name;
      if (!reference.reals.contains(output) && !reference.indices.contains(output)) continue;
      const bool any_order = contains(declaration_.check.any_order, output);
      Verification one = any_order ? check_in_any_order(spec, buffer, reference, allowed, read)
                                   : check_one(spec, buffer, reference, allowed, read);
      if (!one.ok && !any_order && is_in_other_order(spec, buffer, reference, read))
        one.reason += fmt::format(
            "; they are right in another order, which any_order = [\"{}\"] in "
            "[workload.{}.check] allows",
            output, name());
      outcome = outcome ? merge(*outcome, one) : one;
    }
    if (!outcome) throw ProblemError(fmt::format("there is no reference for the outputs of {}", name()));
    return *outcome;
  }

 private:
  struct Criteria {
    Tolerance element;
    Allowance all;
  };

  [[nodiscard]] const FillSpec& fill_of(std::size_t buffer) const {
    return declaration_.buffers.at(buffer).fill;
  }

  /// What is right for an output is `y.npy`, of an inout buffer `x.truth.npy`.
  [[nodiscard]] std::vector<ArrayFile> truth_files(const ProblemSpec& spec, std::uint64_t seed) const {
    std::vector<ArrayFile> files;
    for (const BufferSpec& buffer : spec.buffers) {
      if (buffer.role == BufferRole::in) continue;
      files.push_back(
          data_file(spec, buffer, seed, buffer.role == BufferRole::inout ? ".truth.npy" : ".npy"));
    }
    return files;
  }
  [[nodiscard]] ArrayFile data_file(const ProblemSpec& spec, const BufferSpec& buffer, std::uint64_t seed,
                                    const char* end = ".npy") const {
    return {buffer.name, (data_folder(declaration_.data, spec, seed) / (buffer.name + end)).string(), {}};
  }

  /// What is right for an output that may be in any order is kept in the order of its size.
  void append(Reference& reference, const BufferSpec& output, std::span<std::byte> elements) const {
    if (contains(declaration_.check.any_order, output.name)) sort_elements(output.type, elements);
    append_elements(reference, output.name, output.type, elements);
  }

  static Verification check_in_any_order(const ProblemSpec& spec, std::size_t buffer,
                                         const Reference& reference, const Criteria& allowed,
                                         const BufferReader& read) {
    std::vector<std::byte> sorted(spec.buffers[buffer].bytes());
    read(buffer, 0, sorted);
    sort_elements(spec.buffers[buffer].type, sorted);
    Verification outcome =
        check_one(spec, buffer, reference, allowed,
                  [&](std::size_t /*index*/, std::uint64_t offset, std::span<std::byte> out) {
                    std::ranges::copy(std::span(sorted).subspan(offset, out.size()), out.begin());
                  });
    if (!outcome.ok) outcome.reason += ", all in order of size";
    return outcome;
  }

  /// Are the elements those of the truth, each as often, and only in other places?
  static bool is_in_other_order(const ProblemSpec& spec, std::size_t buffer, const Reference& reference,
                                const BufferReader& read) {
    const BufferSpec& output = spec.buffers[buffer];
    if (output.bytes() > most_reordered_bytes) return false;
    std::vector<std::byte> elements(output.bytes());
    read(buffer, 0, elements);
    Reference held;
    append_elements(held, output.name, output.type, elements);
    const auto is_nan = [](double number) { return std::isnan(number); };
    const auto same = [](auto found, auto truth) {
      std::ranges::sort(found);
      std::ranges::sort(truth);
      return found == truth;
    };
    const auto whole = reference.indices.find(output.name);
    if (whole != reference.indices.end()) return same(held.indices[output.name], whole->second);
    const std::vector<double>& found = held.reals[output.name];
    const std::vector<double>& truth = reference.reals.at(output.name);
    return std::ranges::none_of(found, is_nan) && std::ranges::none_of(truth, is_nan) && same(found, truth);
  }

  static Verification check_one(const ProblemSpec& spec, std::size_t buffer, const Reference& reference,
                                const Criteria& allowed, const BufferReader& read) {
    const std::string& name = spec.buffers[buffer].name;
    const auto whole = reference.indices.find(name);
    if (whole != reference.indices.end())
      return check_whole(spec, buffer, whole->second, allowed.element, read, allowed.all);
    const std::vector<double>& right = reference.reals.at(name);
    const auto truth_of = [&](std::uint64_t first, std::span<double> truth, std::span<double> tolerance) {
      for (std::size_t i = 0; i < truth.size(); ++i) {
        truth[i] = right.at(first + i);
        tolerance[i] = allowed.element.of(truth[i]);
      }
    };
    return check_elements(spec, buffer, truth_of, read, allowed.all);
  }

  /// Throws ProblemError for one that cannot be.
  [[nodiscard]] Criteria criteria(const Parameters& parameters, std::string_view precision) const {
    const CheckDeclaration& check = declaration_.check;
    Parameters values = parameters;
    values["roundoff"] = unit_roundoff(precision);
    Criteria allowed{{counted("check: relative", check.relative, values),
                      counted("check: absolute", check.absolute, values)},
                     {.share = counted("check: share", check.share, values)}};
    if (!check.max_abs.empty()) allowed.all.max_abs = counted("check: max_abs", check.max_abs, values);
    if (!check.rel_l2.empty()) allowed.all.rel_l2 = counted("check: rel_l2", check.rel_l2, values);
    const bool only_all = !check.max_abs.empty() || !check.rel_l2.empty();
    allowed.all.by_element =
        !only_all || check.relative != "0" || check.absolute != "0" || check.share != "0";
    return allowed;
  }

  /// A check that the same number in all elements would pass tells nothing: throws ProblemError.
  void refuse_guesses(const ProblemSpec& spec, const Reference& reference) const {
    const CheckDeclaration& check = declaration_.check;
    if (check.share == "0" && check.max_abs.empty() && check.rel_l2.empty()) return;
    const Criteria allowed = criteria(spec.parameters, "f32");
    for (std::size_t i = 0; i < spec.buffers.size(); ++i) {
      const BufferSpec& output = spec.buffers[i];
      for (const double guess : guesses_of(reference, output.name)) {
        const auto guessed = [&](std::size_t, std::uint64_t, std::span<std::byte> out) {
          write_constant(output.type, guess, out);
        };
        if (!check_one(spec, i, reference, allowed, guessed).ok) continue;
        throw ProblemError(
            fmt::format("the check says nothing: {:.3g} in every element of {} would pass; "
                        "allow less by 'share', 'max_abs' or 'rel_l2'",
                        guess, output.name));
      }
    }
  }

  /// A tolerance or contents that cannot be had rule the point out, before anything is measured in vain.
  void define(ProblemSpec& spec) const override {
    static_cast<void>(criteria(spec.parameters, "f32"));
    for (std::size_t i = 0; i < spec.buffers.size(); ++i) {
      if (fill_of(i).kind != FillSpec::Kind::like && fill_of(i).kind != FillSpec::Kind::data)
        static_cast<void>(Fill(fill_of(i), spec.buffers[i], spec.parameters));
    }
  }

  WorkloadDeclaration declaration_;
  std::string definition_;
  Names size_tunables_;
};

}  // namespace

std::filesystem::path data_folder(const DataProgram& program, const ProblemSpec& spec, std::uint64_t seed) {
  const std::string problem = nlohmann::json{spec.workload, to_json(spec.parameters)}.dump();
  const XXH128_hash_t hash = XXH3_128bits_withSeed(problem.data(), problem.size(), seed);
  return std::filesystem::path(program.written) /
         fmt::format("data-{:016x}{:016x}", hash.high64, hash.low64);
}

std::string to_json_text(const WorkloadDeclaration& declaration) { return written(declaration).dump(); }

WorkloadDeclaration workload_declaration_from_json_text(std::string_view text) {
  refuse_deep_json(text);
  try {
    return read_as<WorkloadDeclaration>(nlohmann::json::parse(text));
  } catch (const nlohmann::json::exception& error) {
    throw std::invalid_argument(fmt::format("this is not a workload declaration: {}", error.what()));
  }
}

Workloads with_data_in(const Workloads& workloads, const std::filesystem::path& folder, double seconds) {
  Workloads placed = workloads;
  for (const auto& [name, definition] : workloads.definitions()) {
    const Workload& workload = *workloads.find(name);
    if (workload.data_program() == nullptr && workload.judge_program() == nullptr) continue;
    WorkloadDeclaration declaration = workload_declaration_from_json_text(definition);
    for (DataProgram* program : {&declaration.data, &declaration.check.program}) {
      program->written = folder.string();
      program->seconds = seconds;
    }
    placed = placed.with(make_workload(std::move(declaration)));
  }
  return placed;
}

std::unique_ptr<Workload> make_workload(WorkloadDeclaration declaration) {
  return std::make_unique<DeclaredWorkload>(std::move(declaration));
}

std::unique_ptr<Workload> make_workload(std::string_view definition) {
  return make_workload(workload_declaration_from_json_text(definition));
}

}  // namespace benchctl
