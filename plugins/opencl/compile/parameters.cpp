#include "compile/parameters.hpp"

#include <benchctl/failure.hpp>

#include "driver/error.hpp"

#include <algorithm>
#include <array>

namespace benchctl::opencl {

namespace {

using Kind = PlannedArgument::Kind;

struct ParameterType {
  std::string_view name;
  DType takes;
};

/// Spellings of drivers differ. Types that are not here may be anything.
constexpr std::array<ParameterType, 17> parameter_types{{{"int", DType::i32},
                                                         {"uint", DType::u32},
                                                         {"unsigned int", DType::u32},
                                                         {"float", DType::f32},
                                                         {"double", DType::f64},
                                                         {"half", DType::f16},
                                                         {"char", DType::i8},
                                                         {"uchar", DType::u8},
                                                         {"unsigned char", DType::u8},
                                                         {"short", DType::i16},
                                                         {"ushort", DType::u16},
                                                         {"unsigned short", DType::u16},
                                                         {"long", DType::i64},
                                                         {"ulong", DType::u64},
                                                         {"unsigned long", DType::u64},
                                                         {"long long", DType::i64},
                                                         {"unsigned long long", DType::u64}}};

/// Whole numbers may differ in their sign's bit as long as both mean the same. OpenCL has no bf16: kernels
/// take its bits.
bool fits(const ScalarSpec& scalar, DType parameter) {
  if (scalar.type == parameter) return true;
  if (scalar.type == DType::bf16) return parameter == DType::u16;
  if (!is_whole(scalar.type) || size_of(scalar.type) != size_of(parameter)) return false;
  const auto* value = std::get_if<std::int64_t>(&scalar.value);
  return value != nullptr && holds(parameter, *value);
}

class KernelParameters {
 public:
  KernelParameters(cl_kernel kernel, const PlannedLaunch& launch, const KernelPlan& plan)
      : kernel_(kernel), launch_(launch), plan_(plan) {}

  void check_count() const {
    cl_uint count = 0;
    check(api().clGetKernelInfo(kernel_, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr),
          "count the parameters of kernel '" + launch_.entry + "'");
    if (count != launch_.arguments.size()) {
      throw Failure(FailureKind::compile_error, launch_.source + ": kernel '" + launch_.entry + "' has " +
                                                    std::to_string(count) +
                                                    " parameters, but its description lists " +
                                                    std::to_string(launch_.arguments.size()));
    }
  }

  void check_one(cl_uint position) const {
    const PlannedArgument& argument = launch_.arguments[position];
    cl_kernel_arg_address_qualifier space{};
    if (api().clGetKernelArgInfo(kernel_, position, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space,
                                 nullptr) != CL_SUCCESS)
      return;
    const std::string type = type_of(position);
    refuse_image(position, type);
    const bool is_memory = argument.kind == Kind::buffer || argument.kind == Kind::scratch;
    if (space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
      if (argument.kind != Kind::local)
        refuse(position, "__local " + type, R"(pass { local_bytes = "..." }: the bytes of a work-group)");
    } else if (space == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
      if (argument.kind != Kind::scalar) refuse(position, type, "pass a number");
      check_scalar(position, type, plan_.scalars.at(argument.index));
    } else if (!is_memory) {
      refuse(position, "__global " + type, "pass a buffer");
    }
  }

 private:
  [[nodiscard]] std::string type_of(cl_uint position) const {
    std::size_t bytes = 0;
    if (api().clGetKernelArgInfo(kernel_, position, CL_KERNEL_ARG_TYPE_NAME, 0, nullptr, &bytes) !=
            CL_SUCCESS ||
        bytes == 0)
      return {};
    std::string name(bytes, '\0');
    if (api().clGetKernelArgInfo(kernel_, position, CL_KERNEL_ARG_TYPE_NAME, bytes, name.data(), nullptr) !=
        CL_SUCCESS)
      return {};
    name.resize(std::min(name.find('\0'), name.size()));
    return name;
  }

  /// Memory in its place would crash a driver.
  void refuse_image(cl_uint position, const std::string& type) const {
    cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;
    static_cast<void>(api().clGetKernelArgInfo(kernel_, position, CL_KERNEL_ARG_ACCESS_QUALIFIER,
                                               sizeof access, &access, nullptr));
    const bool by_name = type == "sampler_t" || (type.starts_with("image") && type.ends_with("_t"));
    if (access == CL_KERNEL_ARG_ACCESS_NONE && !by_name) return;
    throw Failure(FailureKind::unsupported,
                  launch_.source + ": parameter " + std::to_string(position + 1) + " of kernel '" +
                      launch_.entry + "' is a " + type +
                      "; images, samplers and pipes cannot be passed: read a buffer instead");
  }

  void check_scalar(cl_uint position, const std::string& type, const ScalarSpec& scalar) const {
    const auto* const known = std::ranges::find(parameter_types, type, &ParameterType::name);
    if (known == parameter_types.end() || fits(scalar, known->takes)) return;
    refuse(position, type, "give it the type " + std::string(to_string(known->takes)));
  }

  [[nodiscard]] std::string passed(const PlannedArgument& argument) const {
    if (argument.kind == Kind::local) return std::to_string(argument.index) + " bytes of local memory";
    if (argument.kind != Kind::scalar) return "a buffer";
    const ScalarSpec& scalar = plan_.scalars.at(argument.index);
    return "'" + scalar.name + "' as " + std::string(to_string(scalar.type));
  }

  [[noreturn]] void refuse(cl_uint position, const std::string& type, const std::string& advice) const {
    throw Failure(FailureKind::compile_error,
                  launch_.source + ": parameter " + std::to_string(position + 1) + " of kernel '" +
                      launch_.entry + "' is a " + type + ", but its description passes " +
                      passed(launch_.arguments[position]) + ": " + advice);
  }

  cl_kernel kernel_;
  const PlannedLaunch& launch_;
  const KernelPlan& plan_;
};

}  // namespace

void check_parameters(cl_kernel kernel, const PlannedLaunch& launch, const KernelPlan& plan) {
  const KernelParameters parameters(kernel, launch, plan);
  parameters.check_count();
  for (cl_uint i = 0; i < launch.arguments.size(); ++i) parameters.check_one(i);
}

}  // namespace benchctl::opencl
