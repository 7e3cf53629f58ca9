#include "kernels.hpp"

#include "compile/parameters.hpp"
#include "driver/device_info.hpp"
#include "driver/error.hpp"
#include "gpu/ptxas_log.hpp"
#include "gpu/scalar.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace benchctl::opencl {

namespace {

/// NVIDIA's driver counts up to so many bytes of its own as a kernel's local memory, for which there is
/// room beside the limit: a kernel that declares all 49152 bytes is one of 49168, and runs.
constexpr std::uint64_t compilers_own_bytes = 16;

template <class T>
std::optional<T> kernel_property(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info name) {
  T value{};
  if (api().clGetKernelWorkGroupInfo(kernel, device, name, sizeof(T), &value, nullptr) != CL_SUCCESS) {
    return std::nullopt;
  }
  return value;
}

void bind(cl_kernel kernel, const PlannedLaunch& launch, const KernelPlan& plan,
          const gpu::PlanMemory<Device>& memory, std::uint32_t set) {
  cl_uint position = 0;
  for (const PlannedArgument& argument : launch.arguments) {
    std::size_t bytes = sizeof(cl_mem);
    cl_mem buffer = nullptr;
    std::uint64_t word = 0;
    const void* value = &buffer;
    switch (argument.kind) {
      case PlannedArgument::Kind::buffer:
      case PlannedArgument::Kind::scratch:
        buffer = memory.of(argument, set).get();
        break;
      case PlannedArgument::Kind::scalar:
        word = gpu::argument_word(plan.scalars.at(argument.index));
        bytes = size_of(plan.scalars[argument.index].type);
        value = &word;
        break;
      case PlannedArgument::Kind::local:
        bytes = argument.index;
        value = nullptr;
        break;
    }
    check(api().clSetKernelArg(kernel, position, bytes, value),
          "set argument " + std::to_string(position + 1) + " of kernel '" + launch.entry + "'");
    ++position;
  }
}

/// Whether a kernel was compiled with a limit of registers with which as many work-items have room on one
/// of NVIDIA's multiprocessors. They run then, whatever the driver says of the largest group.
bool registers_suffice(const PlannedLaunch& launch, std::uint64_t items, const OpenDevice& device) {
  constexpr std::uint64_t registers_of_unit = 65536;
  if (!is_nvidia(device.found)) return false;
  const auto limit = register_limit(launch.defines);
  return limit && *limit * items <= registers_of_unit && items <= device.info.limits.max_block_threads;
}

/// A block that the kernel cannot run with is refused in words, before the driver does it with a code.
void check_block(cl_kernel kernel, const PlannedLaunch& launch, const OpenDevice& device) {
  const std::uint64_t asked = launch.block[0] * launch.block[1] * launch.block[2];
  const auto refuse = [&](const std::string& text) {
    throw Failure(FailureKind::unsupported, "on " + device.info.name + " " + text);
  };
  const auto allowed = kernel_property<std::size_t>(kernel, device.found.device, CL_KERNEL_WORK_GROUP_SIZE);
  // A kernel compiled for exactly this size runs with it, whatever NVIDIA's driver says of its largest
  // one: that stays at 256.
  const auto compiled_for = kernel_property<std::array<std::size_t, 3>>(kernel, device.found.device,
                                                                        CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
  const bool made_for_it = compiled_for &&
                           (*compiled_for)[0] * (*compiled_for)[1] * (*compiled_for)[2] == asked &&
                           asked <= device.info.limits.max_block_threads;
  if (allowed && *allowed < asked && !made_for_it && !registers_suffice(launch, asked, device)) {
    refuse("kernel '" + launch.entry + "' allows " + std::to_string(*allowed) + " work-items, asked for " +
           std::to_string(asked));
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::uint64_t most = device.info.limits.max_block[axis];
    if (most != 0 && launch.block[axis] > most) {
      refuse("dimension " + std::to_string(axis) + " of a work-group allows " + std::to_string(most) +
             " work-items, asked for " + std::to_string(launch.block[axis]));
    }
  }
  const auto local = kernel_property<cl_ulong>(kernel, device.found.device, CL_KERNEL_LOCAL_MEM_SIZE);
  const std::uint64_t local_limit = device.info.limits.local_memory_bytes;
  if (local && local_limit != 0 && *local > local_limit + compilers_own_bytes) {
    refuse("a work-group has " + std::to_string(local_limit) + " bytes of local memory, kernel '" +
           launch.entry + "' needs " + std::to_string(*local));
  }
}

/// A parameter that is a `half` takes an extension; a pointer to some does not.
void check_halves(const PlannedLaunch& launch, const KernelPlan& plan, const OpenDevice& device) {
  if (device.info.fp16) return;
  for (const PlannedArgument& argument : launch.arguments) {
    if (argument.kind != PlannedArgument::Kind::scalar) continue;
    const ScalarSpec& scalar = plan.scalars.at(argument.index);
    if (scalar.type != DType::f16) continue;
    throw Failure(FailureKind::unsupported, "kernel '" + launch.entry + "' takes '" + scalar.name +
                                                "' as f16, and " + device.info.name +
                                                " has no cl_khr_fp16: pass it as f32");
  }
}

void check_memory(const PlannedLaunch& launch) {
  if (launch.shared_bytes == 0) return;
  throw Failure(FailureKind::unsupported,
                "kernel '" + launch.entry + "' asks for " + std::to_string(launch.shared_bytes) +
                    " bytes of dynamic shared memory; an OpenCL kernel declares its local memory itself or "
                    "takes a __local pointer, for which 'arguments' has { local_bytes = \"...\" }");
}

/// Launches that are repeated have one program.
class Programs {
 public:
  explicit Programs(const OpenDevice& device) : device_(device) {}
  const BuiltProgram& of(const PlannedLaunch& launch) {
    const std::uint64_t group = launch.block[0] * launch.block[1] * launch.block[2];
    const auto [entry, is_new] =
        programs_.try_emplace({launch.source, launch.defines, group, launch.options});
    if (is_new)
      entry->second = build_program(device_, launch.source, launch.defines, group, launch.options);
    return entry->second;
  }
  /// Logs of all, and whether all came from the cache.
  [[nodiscard]] std::pair<std::string, bool> logs() const {
    std::pair<std::string, bool> all{"", true};
    for (const auto& [key, built] : programs_) {
      all.first += (all.first.empty() || built.log.empty() ? "" : "\n") + built.log;
      all.second = all.second && built.cached;
    }
    return all;
  }

 private:
  const OpenDevice& device_;
  std::map<std::tuple<std::string, Defines, std::uint64_t, std::vector<std::string>>, BuiltProgram>
      programs_;
};

void add_resources(Resources& resources, cl_kernel kernel, const OpenDevice& opened,
                   const PlannedLaunch& launch, const std::string& log) {
  // Several launches: the largest use, and the smallest limit.
  const auto at_least = [&](const char* id, double value) {
    const auto [entry, added] = resources.try_emplace(id, value);
    if (!added) entry->second = std::max(entry->second, value);
  };
  cl_device_id device = opened.found.device;
  if (const auto size = kernel_property<std::size_t>(kernel, device, CL_KERNEL_WORK_GROUP_SIZE)) {
    const auto limit = static_cast<double>(*size);
    const auto [entry, added] = resources.try_emplace("max_block_threads", limit);
    if (!added) entry->second = std::min(entry->second, limit);
  }
  if (const auto bytes = kernel_property<cl_ulong>(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE)) {
    at_least("local_memory_bytes", static_cast<double>(*bytes));
  }
  if (const auto bytes = kernel_property<cl_ulong>(kernel, device, CL_KERNEL_PRIVATE_MEM_SIZE)) {
    at_least("private_bytes", static_cast<double>(*bytes));
  }
  if (const auto multiple =
          kernel_property<std::size_t>(kernel, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)) {
    at_least("preferred_multiple", static_cast<double>(*multiple));
  }
  const auto usage = gpu::parse_ptxas_log(log);
  if (const auto found = usage.find(launch.entry); found != usage.end()) {
    at_least("registers", static_cast<double>(found->second.registers));
    at_least("spill_bytes", static_cast<double>(found->second.spill_bytes()));
  }
}

}  // namespace

CompileResult compile_plan(const OpenDevice& device, const KernelPlan& plan) {
  CompileResult result;
  Programs programs(device);
  for (const PlannedLaunch& launch : plan.launches) {
    check_memory(launch);
    check_halves(launch, plan, device);
    const BuiltProgram& built = programs.of(launch);
    const KernelHandle kernel = create_kernel(built, launch.entry, launch.source);
    check_parameters(kernel.get(), launch, plan);
    check_block(kernel.get(), launch, device);
    add_resources(result.resources, kernel.get(), device, launch, built.log);
  }
  std::tie(result.log, result.cached) = programs.logs();
  return result;
}

Kernels::Kernels(Device& device, const gpu::PlanMemory<Device>& memory, const KernelPlan& plan)
    : device_(device) {
  Programs programs(device);
  for (const PlannedLaunch& planned : plan.launches) {
    check_memory(planned);
    check_halves(planned, plan, device);
    const BuiltProgram& built = programs.of(planned);
    if (!built.cache_note.empty()) notes["program_cache"] = built.cache_note;
    Launch launch;
    launch.entry = planned.entry;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      launch.local[axis] = planned.block[axis];
      launch.global[axis] = planned.grid[axis] * planned.block[axis];
    }
    for (std::uint32_t set = 0; set < (planned.prepare ? 1 : memory.buffers.sets()); ++set) {
      KernelHandle kernel = create_kernel(built, planned.entry, planned.source);
      if (set == 0) check_parameters(kernel.get(), planned, plan);
      bind(kernel.get(), planned, plan, memory, set);
      if (set == 0) {  // local memory that is passed counts
        check_block(kernel.get(), planned, device);
        add_resources(resources, kernel.get(), device, planned, built.log);
      }
      launch.kernels.push_back(std::move(kernel));
    }
    launches_.push_back(std::move(launch));
  }
}

void Kernels::launch(std::size_t index, std::uint32_t set) {
  const Launch& launch = launches_[index];
  device_.command(
      "launch kernel '" + launch.entry + "'", [&](cl_uint count, const cl_event* list, cl_event* event) {
        return api().clEnqueueNDRangeKernel(device_.queue.get(), launch.kernels.at(set).get(), 3, nullptr,
                                            launch.global.data(), launch.local.data(), count, list, event);
      });
}

}  // namespace benchctl::opencl
