#include "kernels.hpp"

#include "gpu/scalar.hpp"
#include "measure/limits.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace benchctl::cuda {

namespace {

std::array<unsigned, 3> launch_size(const std::array<std::uint64_t, 3>& size, const std::string& what) {
  std::array<unsigned, 3> narrowed{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (size[axis] == 0 || size[axis] > std::numeric_limits<unsigned>::max()) {
      throw Failure(FailureKind::unsupported,
                    what + " of " + std::to_string(size[axis]) + " cannot be launched");
    }
    narrowed[axis] = static_cast<unsigned>(size[axis]);
  }
  return narrowed;
}

/// Programmatic dependent launch came with compute capability 9.0. `architecture` is "sm_90a" or the like.
bool can_overlap(const std::string& architecture) { return std::stoi(architecture.substr(3)) >= 90; }

}  // namespace

Kernels::Kernels(Context& context, const Memory& memory, const KernelPlan& plan)
    : context_(context), memory_(memory) {
  notes["compiler"] = "NVRTC " + context.libraries().nvrtc().version();
  notes["architecture"] = context.info().architecture;
  const MappedProduct product = mapped_product(plan, memory.buffers.spec(), context.info());
  load(plan, product.overlapping);
  for (std::uint32_t set = 0; set < memory.buffers.sets(); ++set) {
    std::vector<Arguments>& bound = arguments_.emplace_back();
    for (const PlannedLaunch& launch : plan.launches) bound.push_back(bind_arguments(launch, plan, set));
    if (!product.views.empty()) replace_by_maps(bound.back(), product.views);
  }
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const bool has_maps = !product.views.empty() && i + 1 == launches_.size();
    if (!has_maps) check_parameters(plan.launches[i], launches_[i].function, plan.scalars);
  }
}

void Kernels::load(const KernelPlan& plan, bool overlapping) {
  const std::string& architecture = context_.info().architecture;
  const Compiler compiler(context_.libraries().nvrtc(), context_.options());
  const Modules compiled = compiler.compile(plan, architecture);
  std::map<ModuleKey, std::size_t> places;
  for (const auto& [key, module] : compiled) {
    places.emplace(key, modules_.size());
    modules_.push_back(load_module(context_.driver(), module.code));
  }
  for (const PlannedLaunch& planned : plan.launches) {
    const auto& [key, module] = *compiled.find(module_of(planned));
    merge_usage(resources, usage_of(module, planned.entry, planned.source));
    Launch launch;
    const Module& loaded = modules_[places.at(key)];
    launch.function = find_function(loaded, planned, lowered_name(module, planned.entry));
    launch.constants = find_constants(loaded, planned);
    launch.entry = planned.entry;
    launch.grid = launch_size(planned.grid, "a grid");
    launch.block = launch_size(planned.block, "a block");
    launch.shared_bytes = static_cast<unsigned>(planned.shared_bytes);
    launch.overlaps = overlapping && !launches_.empty() && can_overlap(architecture);
    add_driver_resources(planned, launch);
    launches_.push_back(std::move(launch));
  }
}

/// Sizes alone: a driver does not tell an int from a float.
void Kernels::check_parameters(const PlannedLaunch& launch, CUfunction function,
                               const std::vector<ScalarSpec>& scalars) const {
  const auto refuse = [&](const std::string& text) {
    throw Failure(FailureKind::compile_error, launch.source + ": kernel '" + launch.entry + "' " + text);
  };
  const DriverApi& driver = context_.driver();
  std::size_t offset = 0;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    if (driver.func_get_param_info(function, i, &offset, &bytes) != CUDA_SUCCESS) {
      refuse("has " + std::to_string(i) + " parameters, but its description lists " +
             std::to_string(launch.arguments.size()));
    }
    const bool is_number = launch.arguments[i].kind == PlannedArgument::Kind::scalar;
    const std::size_t passed =
        is_number ? size_of(scalars.at(launch.arguments[i].index).type) : sizeof(CUdeviceptr);
    if (bytes == passed) continue;
    const std::string what = is_number ? "'" + scalars[launch.arguments[i].index].name + "' as " +
                                             std::string(to_string(scalars[launch.arguments[i].index].type))
                                       : "a buffer";
    refuse("takes " + std::to_string(bytes) + " bytes as parameter " + std::to_string(i + 1) +
           ", but its description passes " + what + ", which has " + std::to_string(passed) +
           ": give it the parameter's type");
  }
  if (driver.func_get_param_info(function, launch.arguments.size(), &offset, &bytes) == CUDA_SUCCESS) {
    refuse("has more than the " + std::to_string(launch.arguments.size()) +
           " parameters that its description lists");
  }
}

std::vector<Kernels::Constant> Kernels::find_constants(const Module& module, const PlannedLaunch& launch) {
  const std::vector<BufferSpec>& buffers = memory_.buffers.spec().buffers;
  std::vector<Constant> constants;
  for (const auto& entry : launch.constants) {
    const std::string& symbol = entry.first;
    const PlannedArgument& memory = entry.second;
    const auto refuse = [&](const std::string& text) {
      throw Failure(FailureKind::compile_error,
                    launch.source + ": constant memory '" + symbol + "' " + text);
    };
    const bool is_scratch = memory.kind == PlannedArgument::Kind::scratch;
    Constant constant{0, 0, memory};
    constant.bytes = is_scratch ? memory_.scratch.at(memory.index).bytes : buffers.at(memory.index).bytes();
    std::size_t room = 0;
    if (context_.driver().module_get_global(&constant.address, &room, module.get(), symbol.c_str()) !=
        CUDA_SUCCESS)
      refuse("is not there: declare it __constant__, outside of namespaces, and have a kernel read it");
    if (room < constant.bytes)
      refuse("has " + std::to_string(room) + " bytes, its buffer " + std::to_string(constant.bytes));
    // An input that was copied for an earlier launch is still there.
    const bool stays = !is_scratch && buffers[memory.index].role == BufferRole::in;
    const auto [filled, is_new] = filled_.try_emplace(constant.address, memory.index);
    if (!is_new && stays && filled->second == memory.index) continue;
    filled->second = stays ? memory.index : buffers.size();
    constants.push_back(constant);
  }
  return constants;
}

CUfunction Kernels::find_function(const Module& module, const PlannedLaunch& launch,
                                  const std::string& name) const {
  const DriverApi& driver = context_.driver();
  CUfunction function = nullptr;
  driver.check(driver.module_get_function(&function, module.get(), name.c_str()),
               "finding kernel '" + launch.entry + "' of " + launch.source);
  const std::uint64_t most = context_.info().limits.local_memory_bytes;
  if (launch.shared_bytes > most) {
    throw Failure(FailureKind::unsupported, "kernel '" + launch.entry + "' asks for " +
                                                std::to_string(launch.shared_bytes) +
                                                " bytes of dynamic shared memory; this GPU has " +
                                                std::to_string(most) + " per block");
  }
  int declared = 0;
  driver.check(driver.func_get_attribute(&declared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function),
               "asking for the shared memory of kernel '" + launch.entry + "'");
  if (launch.shared_bytes + static_cast<std::uint64_t>(declared) > default_shared_bytes) {
    driver.check(driver.func_set_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                           static_cast<int>(launch.shared_bytes)),
                 "giving kernel '" + launch.entry + "' " + std::to_string(launch.shared_bytes) +
                     " bytes of dynamic shared memory");
  }
  return function;
}

void Kernels::add_driver_resources(const PlannedLaunch& planned, const Launch& launch) {
  const DriverApi& driver = context_.driver();
  const auto attribute = [&](CUfunction_attribute which) {
    int value = 0;
    driver.check(driver.func_get_attribute(&value, which, launch.function),
                 "asking for an attribute of kernel '" + launch.entry + "'");
    return static_cast<double>(value);
  };
  const auto largest = [&](const char* id, double value) {
    resources[id] = std::max(resources[id], value);
  };
  const auto smallest = [&](const char* id, double value) {
    const auto [entry, is_new] = resources.try_emplace(id, value);
    if (!is_new) entry->second = std::min(entry->second, value);
  };
  largest("registers", attribute(CU_FUNC_ATTRIBUTE_NUM_REGS));
  largest("static_shared_bytes", attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
  largest("local_bytes", attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
  largest("constant_bytes", attribute(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES));
  const double max_threads = attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  smallest("max_block_threads", max_threads);

  const std::uint64_t threads = planned.block[0] * planned.block[1] * planned.block[2];
  if (static_cast<double>(threads) > max_threads) {
    throw Failure(FailureKind::unsupported, "kernel '" + launch.entry + "' is to run in blocks of " +
                                                std::to_string(threads) +
                                                " threads; on this GPU its registers allow at most " +
                                                std::to_string(static_cast<std::uint64_t>(max_threads)));
  }
  int blocks = 0;
  driver.check(driver.occupancy_max_active_blocks(&blocks, launch.function, static_cast<int>(threads),
                                                  planned.shared_bytes),
               "asking for the occupancy of kernel '" + launch.entry + "'");
  int sm_threads = 0;
  driver.check(driver.device_get_attribute(&sm_threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
                                           context_.device()),
               "asking for the threads per multiprocessor");
  smallest("occupancy", static_cast<double>(blocks) * static_cast<double>(threads) / sm_threads);
}

Kernels::Arguments Kernels::bind_arguments(const PlannedLaunch& launch, const KernelPlan& plan,
                                           std::uint32_t set) const {
  Arguments bound;
  bound.values.reserve(launch.arguments.size());
  for (const PlannedArgument& argument : launch.arguments) {
    switch (argument.kind) {
      case PlannedArgument::Kind::buffer:
      case PlannedArgument::Kind::scratch:
        bound.values.push_back(memory_.of(argument, set).address());
        break;
      case PlannedArgument::Kind::scalar:
        bound.values.push_back(gpu::argument_word(plan.scalars.at(argument.index)));
        break;
      case PlannedArgument::Kind::local:
        throw Failure(FailureKind::unsupported,
                      "kernel '" + launch.entry +
                          "' is passed local memory, which only OpenCL has; CUDA's "
                          "dynamic shared memory is the key 'shared_bytes'");
    }
  }
  for (std::uint64_t& value : bound.values) bound.pointers.push_back(&value);
  return bound;
}

void Kernels::replace_by_maps(Arguments& arguments, const std::vector<TensorView>& views) const {
  arguments.maps.reserve(views.size());  // pointers to them must stay
  for (const TensorView& view : views) {
    arguments.maps.push_back(
        encode_tensor_map(context_.driver(), arguments.values.at(view.argument), view));
    arguments.pointers.at(view.argument) = &arguments.maps.back();
  }
}

std::uint32_t Kernels::copies() const {
  std::size_t copies = 0;
  for (const Launch& launch : launches_) copies += launch.constants.size();
  return static_cast<std::uint32_t>(copies);
}

void Kernels::launch(std::size_t index, std::uint32_t set) {
  const DriverApi& driver = context_.driver();
  const Launch& launch = launches_[index];
  Arguments& arguments = arguments_.at(set)[index];
  for (const Constant& constant : launch.constants) {
    driver.check(driver.memcpy_dtod_async(constant.address, memory_.of(constant.memory, set).address(),
                                          constant.bytes, context_.stream()),
                 "filling constant memory of kernel '" + launch.entry + "'");
  }
  CUlaunchAttribute early{};
  early.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  early.value.programmaticStreamSerializationAllowed = 1;
  CUlaunchConfig config{};
  config.gridDimX = launch.grid[0];
  config.gridDimY = launch.grid[1];
  config.gridDimZ = launch.grid[2];
  config.blockDimX = launch.block[0];
  config.blockDimY = launch.block[1];
  config.blockDimZ = launch.block[2];
  config.sharedMemBytes = launch.shared_bytes;
  config.hStream = context_.stream();
  config.attrs = &early;
  config.numAttrs = launch.overlaps ? 1 : 0;
  const CUresult result =
      driver.launch_kernel_ex(&config, launch.function, arguments.pointers.data(), nullptr);
  if (result != CUDA_SUCCESS) driver.check(result, "launching kernel '" + launch.entry + "'");
}

}  // namespace benchctl::cuda
