// The workload contract: what is computed, from which inputs, what is right, what it costs. Owned by
// core and the same for every backend.
#pragma once

#include <benchctl/problem.hpp>

#include "model/measure.hpp"
#include "model/point.hpp"
#include "workloads/array_files.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace benchctl {

struct DataProgram;

/// A problem parameter of a workload.
struct ParameterInfo {
  std::string name;
  std::string doc;            ///< one sentence with the unit
  std::string default_value;  ///< an expression over parameters listed earlier ("n"), or a literal
  bool is_text = false;       ///< a word from `choices` instead of a number
  std::vector<std::string> choices;
  double minimum = 1;  ///< smallest number
  double maximum = 9007199254740992.0;
  bool is_integer = false;  ///< numbers without fractions only
};

/// Counted units of one execution. Rates are made from these and the median time.
struct Cost {
  double flops = 0;          ///< floating-point operations, an FMA counts two
  double bytes_read = 0;     ///< each input byte once
  double bytes_written = 0;  ///< each output byte once
  double accesses = 0;  ///< memory accesses that follow one another, where their latency is the question

  /// Read and written.
  [[nodiscard]] double bytes() const { return bytes_read + bytes_written; }
  /// A measure of how much there is to do: operations, bytes and accesses.
  [[nodiscard]] double work() const { return flops + bytes() + accesses; }
};

/// A problem that cannot be had: a parameter out of range, a size that overflows. Becomes the point's
/// reason.
class ProblemError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Named arrays of float64 or unsigned 64-bit numbers that a workload computes once per problem and
/// seed and every check reads. Computed in a process of its own and handed to the workers of a run as one
/// file (engine/references.hpp).
struct Reference {
  std::map<std::string, std::vector<double>, std::less<>> reals;
  std::map<std::string, std::vector<std::uint64_t>, std::less<>> indices;
};

/// Reads `out.size()` bytes at `offset` of buffer `index` from the device.
using BufferReader = std::function<void(std::size_t index, std::uint64_t offset, std::span<std::byte> out)>;

class Workload {
 public:
  Workload() = default;
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;
  virtual ~Workload() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view doc() const = 0;
  /// Raised whenever inputs, reference, cost or tolerance change their meaning; part of content keys.
  [[nodiscard]] virtual std::uint32_t version() const = 0;
  /// In the order in which defaults are evaluated.
  [[nodiscard]] virtual std::span<const ParameterInfo> parameters() const = 0;
  /// Names of representations; empty when there is only one.
  [[nodiscard]] virtual std::span<const std::string> layouts() const { return {}; }
  /// Tunables that sizes of buffers depend on. Each kernel of the workload has them.
  [[nodiscard]] virtual std::span<const std::string> size_tunables() const { return {}; }

  /// Buffers and scalars for complete parameters and size_tunables(), as problem_values() gives them.
  /// Throws ProblemError.
  [[nodiscard]] virtual ProblemSpec problem(const Parameters& parameters,
                                            const std::string& layout) const = 0;
  /// For the same values. Throws ProblemError.
  [[nodiscard]] virtual Cost cost(const Parameters& parameters) const = 0;

  /// Writes elements [first, first + count) of an in or inout buffer, `out` holding exactly their bytes.
  /// The same for a seed on every platform and for every slicing.
  virtual void generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed,
                        std::uint64_t first, std::span<std::byte> out) const = 0;
  /// Computes what `check` needs in float64, streaming over the inputs.
  [[nodiscard]] virtual Reference reference(const ProblemSpec& spec, std::uint64_t seed) const = 0;
  /// Judges outputs by a precision: `f32`, `f64`, `tf32`, `f16`, `bf16`.
  [[nodiscard]] virtual Verification check(const ProblemSpec& spec, std::string_view precision,
                                           const Reference& reference, const BufferReader& read) const = 0;
  /// What outputs should hold, by their buffers, for whoever looks at them: those that are known in whole.
  [[nodiscard]] virtual Reference known_outputs(const ProblemSpec& spec, const Reference& reference) const {
    static_cast<void>(spec);
    return reference;
  }
  /// The variant whose outputs are taken for right, for a workload that knows no better; empty where
  /// `reference` computes what is right.
  [[nodiscard]] virtual std::string trusted_kernel() const { return {}; }
  /// What `check` needs, from the outputs of the trusted kernel. Asked only where there is one.
  [[nodiscard]] virtual Reference reference_from(const ProblemSpec& spec, const BufferReader& read) const {
    static_cast<void>(spec);
    static_cast<void>(read);
    throw std::logic_error("this workload computes its reference itself");
  }
  /// The program that must have written `data_files` before `generate` and `reference` are called; or null.
  [[nodiscard]] virtual const DataProgram* data_program() const { return nullptr; }
  /// The program that judges outputs, so that `check` is not asked; or null.
  [[nodiscard]] virtual const DataProgram* judge_program() const { return nullptr; }
  /// The files of a problem and a seed, all in DataProgram's folder for these.
  [[nodiscard]] virtual std::vector<ArrayFile> data_files(const ProblemSpec& spec,
                                                          std::uint64_t seed) const {
    static_cast<void>(spec);
    static_cast<void>(seed);
    return {};
  }
  /// Is what is right known for the inputs of one seed alone? Then nothing is drawn beside them.
  [[nodiscard]] virtual bool keeps_inputs() const { return false; }
  /// Do its points measure roofs, the best rates of a device? Then they come before all others, each probe
  /// of each device is measured, and they compete with nothing. One workload does (roof_workload).
  [[nodiscard]] virtual bool measures_roofs() const { return false; }
  /// What another process must be told to have this workload (make_workload); empty for those that are part
  /// of the program.
  [[nodiscard]] virtual std::string definition() const { return {}; }
  /// The same as far as it decides on results: without the places of files, whose contents count.
  [[nodiscard]] virtual std::string content() const { return {}; }

  /// Figures that a kernel left in its outputs beside the result (clock cycles), by metric id
  /// (core/model/metrics.hpp). Asked after a right result.
  [[nodiscard]] virtual std::map<std::string, double, std::less<>> metrics(const ProblemSpec& spec,
                                                                           const BufferReader& read) const {
    static_cast<void>(spec);
    static_cast<void>(read);
    return {};
  }
};

/// The workloads that a config knows: those of the program, and those that it declares. Quick to copy; a
/// declared workload lives as long as a set that has it.
class Workloads {
 public:
  /// Those of the program alone.
  [[nodiscard]] static const Workloads& built_in();
  /// The workload of that name, or null.
  [[nodiscard]] const Workload* find(std::string_view name) const;
  /// By name.
  [[nodiscard]] std::vector<const Workload*> all() const;
  /// Workload::definition() of those that are declared, by name.
  [[nodiscard]] std::map<std::string, std::string> definitions() const;
  /// These with a declared one, in the place of an earlier one of that name. Throws std::invalid_argument
  /// when the program has one of that name itself.
  [[nodiscard]] Workloads with(std::shared_ptr<const Workload> workload) const;

 private:
  std::map<std::string, std::shared_ptr<const Workload>, std::less<>> declared_;
};

/// The one that measures roofs. Throws std::logic_error in a program that has none.
[[nodiscard]] const Workload& roof_workload();

/// One static object of this type per workload file adds it to those of the program.
class WorkloadRegistration {
 public:
  explicit WorkloadRegistration(std::unique_ptr<Workload> workload);
};

/// Fills in defaults and checks ranges: parameters of `workload` only, every one present afterwards.
/// Throws ProblemError that names the parameter.
[[nodiscard]] Parameters complete_parameters(const Workload& workload, const Parameters& given);
/// What sizes depend on: complete parameters, and those of `tunables` that the workload's sizes name.
[[nodiscard]] SharedParameters problem_values(const Workload& workload, SharedParameters problem,
                                              const Parameters& tunables);
[[nodiscard]] inline SharedParameters problem_values(const Workload& workload, const Point& point) {
  return problem_values(workload, point.problem, point.tunables);
}
/// The buffers and scalars of a point. Throws ProblemError.
[[nodiscard]] inline ProblemSpec problem_of(const Workload& workload, const Point& point) {
  return workload.problem(problem_values(workload, point), point.layout);
}
/// The workload's problem with the defaults of all parameters, in its first layout; nothing where these
/// make none.
[[nodiscard]] std::optional<ProblemSpec> default_problem(const Workload& workload);

}  // namespace benchctl
