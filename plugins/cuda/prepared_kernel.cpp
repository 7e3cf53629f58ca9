#include "prepared_kernel.hpp"

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

PreparedKernel::PreparedKernel(DeviceProblem& problem, const KernelPlan& plan,
                               const std::vector<TensorView>& views, bool overlapping)
    : PreparedExecution(problem), architecture_(context().info().architecture) {
  for (const PlannedLaunch& launch : plan.launches) {
    title_ += (title_.empty() ? "kernel '" : ", '") + launch.entry + "'";
  }
  add_note("compiler", "NVRTC " + context().libraries().nvrtc().version());
  add_note("architecture", architecture_);
  allocate_scratch(plan);
  load(plan, overlapping);
  for (std::uint32_t set = 0; set < problem.sets(); ++set) {
    std::vector<Arguments>& bound = arguments_.emplace_back();
    for (const PlannedLaunch& launch : plan.launches) bound.push_back(bind_arguments(launch, plan, set));
    if (!views.empty()) replace_by_maps(bound.back(), views);
  }
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const bool has_maps = !views.empty() && i + 1 == launches_.size();
    if (!has_maps) check_parameters(plan.launches[i], launches_[i].function, plan.scalars);
  }
  // All of it once: a kernel that leaves its counters at zero needs no zeroing between executions.
  reset_scratch();
}

PreparedKernel::~PreparedKernel() { context().make_current_quietly(); }

void PreparedKernel::allocate_scratch(const KernelPlan& plan) {
  for (const PlannedScratch& scratch : plan.scratch) {
    const std::uint64_t bytes = scratch.count * size_of(scratch.type);
    const DriverApi& driver = context().driver();
    scratch_.push_back({allocate(driver, bytes, "scratch buffer " + scratch.name), bytes, scratch.zeroed});
  }
}

void PreparedKernel::reset_scratch() {
  if (scratch_.empty()) return;
  context().make_current();
  const DriverApi& driver = context().driver();
  for (const Scratch& scratch : scratch_) {
    driver.check(driver.memset_d8_async(scratch.memory.get(), 0, scratch.bytes, context().stream()),
                 "zeroing scratch memory");
  }
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    if (launches_[i].prepare) launch_kernel(launches_[i], arguments_.front().at(i), 0);
  }
  context().synchronize("preparing scratch memory");
}

void PreparedKernel::load(const KernelPlan& plan, bool overlapping) {
  const Compiler compiler(context().libraries().nvrtc(), context().options());
  const Modules compiled = compiler.compile(plan, architecture_);
  std::map<ModuleKey, std::size_t> places;
  for (const auto& [key, module] : compiled) {
    places.emplace(key, modules_.size());
    modules_.push_back(load_module(context().driver(), module.code));
  }
  for (const PlannedLaunch& planned : plan.launches) {
    const auto& [key, module] = *compiled.find(module_of(planned));
    merge_usage(resources_, usage_of(module, planned.entry, planned.source));
    Launch launch;
    const Module& loaded = modules_[places.at(key)];
    launch.function = find_function(loaded, planned, lowered_name(module, planned.entry));
    launch.constants = find_constants(loaded, planned);
    launch.entry = planned.entry;
    launch.grid = launch_size(planned.grid, "a grid");
    launch.block = launch_size(planned.block, "a block");
    launch.shared_bytes = static_cast<unsigned>(planned.shared_bytes);
    launch.prepare = planned.prepare;
    launch.overlaps = overlapping && !launches_.empty() && can_overlap(architecture_);
    add_driver_resources(planned, launch);
    launches_.push_back(std::move(launch));
  }
}

/// Sizes alone: a driver does not tell an int from a float.
void PreparedKernel::check_parameters(const PlannedLaunch& launch, CUfunction function,
                                      const std::vector<ScalarSpec>& scalars) const {
  const auto refuse = [&](const std::string& text) {
    throw Failure(FailureKind::compile_error, launch.source + ": kernel '" + launch.entry + "' " + text);
  };
  const DriverApi& driver = context().driver();
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

std::vector<PreparedKernel::Constant> PreparedKernel::find_constants(const Module& module,
                                                                     const PlannedLaunch& launch) {
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
    constant.bytes =
        is_scratch ? scratch_.at(memory.index).bytes : problem().spec().buffers.at(memory.index).bytes();
    std::size_t room = 0;
    if (context().driver().module_get_global(&constant.address, &room, module.get(), symbol.c_str()) !=
        CUDA_SUCCESS)
      refuse("is not there: declare it __constant__, outside of namespaces, and have a kernel read it");
    if (room < constant.bytes)
      refuse("has " + std::to_string(room) + " bytes, its buffer " + std::to_string(constant.bytes));
    // An input that was copied for an earlier launch is still there.
    const bool stays = !is_scratch && problem().spec().buffers[memory.index].role == BufferRole::in;
    const auto [filled, is_new] = filled_.try_emplace(constant.address, memory.index);
    if (!is_new && stays && filled->second == memory.index) continue;
    filled->second = stays ? memory.index : problem().spec().buffers.size();
    constants.push_back(constant);
  }
  return constants;
}

CUfunction PreparedKernel::find_function(const Module& module, const PlannedLaunch& launch,
                                         const std::string& name) const {
  const DriverApi& driver = context().driver();
  CUfunction function = nullptr;
  driver.check(driver.module_get_function(&function, module.get(), name.c_str()),
               "finding kernel '" + launch.entry + "' of " + launch.source);
  const std::uint64_t most = context().info().limits.local_memory_bytes;
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

void PreparedKernel::add_driver_resources(const PlannedLaunch& planned, const Launch& launch) {
  const DriverApi& driver = context().driver();
  const auto attribute = [&](CUfunction_attribute which) {
    int value = 0;
    driver.check(driver.func_get_attribute(&value, which, launch.function),
                 "asking for an attribute of kernel '" + launch.entry + "'");
    return static_cast<double>(value);
  };
  const auto largest = [&](const char* id, double value) {
    resources_[id] = std::max(resources_[id], value);
  };
  const auto smallest = [&](const char* id, double value) {
    const auto [entry, is_new] = resources_.try_emplace(id, value);
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
                                           context().device()),
               "asking for the threads per multiprocessor");
  smallest("occupancy", static_cast<double>(blocks) * static_cast<double>(threads) / sm_threads);
}

PreparedKernel::Arguments PreparedKernel::bind_arguments(const PlannedLaunch& launch,
                                                         const KernelPlan& plan, std::uint32_t set) const {
  Arguments bound;
  bound.values.reserve(launch.arguments.size());
  for (const PlannedArgument& argument : launch.arguments) {
    switch (argument.kind) {
      case PlannedArgument::Kind::buffer:
        bound.values.push_back(problem().address(set, argument.index));
        break;
      case PlannedArgument::Kind::scratch:
        bound.values.push_back(scratch_.at(argument.index).memory.get());
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

void PreparedKernel::replace_by_maps(Arguments& arguments, const std::vector<TensorView>& views) const {
  arguments.maps.reserve(views.size());  // pointers to them must stay
  for (const TensorView& view : views) {
    arguments.maps.push_back(
        encode_tensor_map(context().driver(), arguments.values.at(view.argument), view));
    arguments.pointers.at(view.argument) = &arguments.maps.back();
  }
}

std::uint32_t PreparedKernel::operations() const {
  const auto zeroed =
      std::ranges::count_if(scratch_, [](const Scratch& scratch) { return scratch.zeroed; });
  std::size_t copies = 0;
  for (const Launch& launch : launches_) copies += launch.constants.size();
  return static_cast<std::uint32_t>(std::ranges::count(launches_, false, &Launch::prepare) + zeroed) +
         static_cast<std::uint32_t>(copies);
}

void PreparedKernel::enqueue(std::uint32_t set) {
  const DriverApi& driver = context().driver();
  const CUstream stream = context().stream();
  for (const Scratch& scratch : scratch_) {
    if (!scratch.zeroed || scratch.bytes == 0) continue;
    driver.check(driver.memset_d8_async(scratch.memory.get(), 0, scratch.bytes, stream),
                 "zeroing scratch memory");
  }
  std::vector<Arguments>& arguments = arguments_.at(set);
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    if (!launches_[i].prepare) launch_kernel(launches_[i], arguments[i], set);
  }
}

void PreparedKernel::launch_kernel(const Launch& launch, Arguments& arguments, std::uint32_t set) const {
  const DriverApi& driver = context().driver();
  for (const Constant& constant : launch.constants) {
    const PlannedArgument& memory = constant.memory;
    const CUdeviceptr source = memory.kind == PlannedArgument::Kind::scratch
                                   ? scratch_.at(memory.index).memory.get()
                                   : problem().address(set, memory.index);
    driver.check(driver.memcpy_dtod_async(constant.address, source, constant.bytes, context().stream()),
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
  config.hStream = context().stream();
  config.attrs = &early;
  config.numAttrs = launch.overlaps ? 1 : 0;
  const CUresult result =
      driver.launch_kernel_ex(&config, launch.function, arguments.pointers.data(), nullptr);
  if (result != CUDA_SUCCESS) driver.check(result, "launching kernel '" + launch.entry + "'");
}

}  // namespace benchctl::cuda
