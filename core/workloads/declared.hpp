// A workload as data: what a config declares in `[workload.NAME]` where no workload of the program says
// what is computed. Serialisable, since the processes that measure must have it, too.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/array_files.hpp"
#include "workloads/workload.hpp"

namespace benchctl {

/// How an input is filled. Numbers are expressions over the problem's parameters.
struct FillSpec {
  enum class Kind : std::uint8_t {
    uniform,   ///< reals from `first` up to `second`
    wide,      ///< magnitudes from 2^-20 to 2^20, both signs
    huge,      ///< magnitudes near the square root of float32's largest number
    denormal,  ///< float32 denormals and zeros
    special,   ///< uniform in [-1, 1) with infinities and no numbers among them
    integers,  ///< whole numbers from `first` to `second`, both included
    constant,  ///< `first` everywhere
    index,     ///< `first` + position · `second`
    values,    ///< `numbers`, one for each element
    file,      ///< what `file` holds
  };
  Kind kind = Kind::uniform;
  std::string first = "-1";
  std::string second = "1";
  std::vector<std::string> numbers = {};
  ArrayFile file = {};
};

namespace detail {
template <>
struct Spellings<FillSpec::Kind> {
  static constexpr std::array<Spelling<FillSpec::Kind>, 10> table{{{FillSpec::Kind::uniform, "uniform"},
                                                                   {FillSpec::Kind::wide, "wide"},
                                                                   {FillSpec::Kind::huge, "huge"},
                                                                   {FillSpec::Kind::denormal, "denormal"},
                                                                   {FillSpec::Kind::special, "special"},
                                                                   {FillSpec::Kind::integers, "integers"},
                                                                   {FillSpec::Kind::constant, "constant"},
                                                                   {FillSpec::Kind::index, "index"},
                                                                   {FillSpec::Kind::values, "values"},
                                                                   {FillSpec::Kind::file, "file"}}};
};
}  // namespace detail

/// `type` is the name of an element type, or `dtype`: that of the problem.
struct BufferDeclaration {
  std::string name;
  std::string type = "f32";
  std::string count;  ///< elements, an expression over parameters and tunables of kernels
  BufferRole role = BufferRole::in;
  FillSpec fill;  ///< contents of in and inout buffers
};

struct ScalarDeclaration {
  std::string name;
  std::string type = "i32";
  std::string value;  ///< an expression
};

/// What is right: the outputs of a kernel that is trusted, or files. |value - truth| may be `absolute` +
/// `relative` · |truth|: expressions, in which `roundoff` is half the distance from 1 to the next number in
/// the kernel's precision.
struct CheckDeclaration {
  std::string kernel;
  std::string kernel_digest;  ///< digest of that kernel's sources and description
  std::vector<ArrayFile> files;
  std::string relative = "0";
  std::string absolute = "0";
  std::vector<std::string> any_order;  ///< outputs that are compared in order of size
};

struct WorkloadDeclaration {
  std::string name;
  std::string doc;
  std::vector<ParameterInfo> parameters;
  std::vector<BufferDeclaration> buffers;
  std::vector<ScalarDeclaration> scalars;
  std::string flops = "0";    ///< per execution, an FMA counting two
  std::string bytes_read;     ///< empty: the bytes of all in and inout buffers
  std::string bytes_written;  ///< empty: the bytes of all out and inout buffers
  CheckDeclaration check;
};

[[nodiscard]] std::string to_json_text(const WorkloadDeclaration& declaration);
/// Throws std::invalid_argument.
[[nodiscard]] WorkloadDeclaration workload_declaration_from_json_text(std::string_view text);

[[nodiscard]] std::unique_ptr<Workload> make_workload(WorkloadDeclaration declaration);
/// From Workload::definition(). Throws std::invalid_argument.
[[nodiscard]] std::unique_ptr<Workload> make_workload(std::string_view definition);

}  // namespace benchctl
