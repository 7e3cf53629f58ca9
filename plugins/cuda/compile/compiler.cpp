#include "compile/compiler.hpp"

#include "gpu/extras.hpp"

#include <benchctl/failure.hpp>
#include <benchctl/includes.hpp>

#include "compile/source_remarks.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace benchctl::cuda {

namespace {

class Program {
 public:
  Program(const NvrtcApi& nvrtc, const std::string& text, const std::string& name) : nvrtc_(nvrtc) {
    nvrtc_.check(nvrtc_.create_program(&program_, text.c_str(), name.c_str(), 0, nullptr, nullptr),
                 "starting NVRTC on " + name);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { static_cast<void>(nvrtc_.destroy_program(&program_)); }

  void add_name(const std::string& entry) const {
    nvrtc_.check(nvrtc_.add_name(program_, entry.c_str()), "naming kernel '" + entry + "'");
  }
  [[nodiscard]] std::string lowered(const std::string& entry) const {
    const char* name = nullptr;
    nvrtc_.check(nvrtc_.get_lowered_name(program_, entry.c_str(), &name), "finding kernel '" + entry + "'");
    return name;
  }
  [[nodiscard]] nvrtcResult compile(const std::vector<std::string>& options) const {
    std::vector<const char*> pointers;
    pointers.reserve(options.size());
    for (const std::string& option : options) pointers.push_back(option.c_str());
    return nvrtc_.compile_program(program_, static_cast<int>(pointers.size()), pointers.data());
  }
  [[nodiscard]] std::string log() const {
    std::size_t bytes = 0;
    nvrtc_.check(nvrtc_.get_log_size(program_, &bytes), "reading NVRTC's log");
    std::string text(bytes, '\0');
    if (bytes > 0) nvrtc_.check(nvrtc_.get_log(program_, text.data()), "reading NVRTC's log");
    text.erase(std::find(text.begin(), text.end(), '\0'), text.end());
    return text;
  }
  [[nodiscard]] std::vector<char> cubin() const {
    std::size_t bytes = 0;
    nvrtc_.check(nvrtc_.get_cubin_size(program_, &bytes), "reading NVRTC's output");
    std::vector<char> code(bytes);
    nvrtc_.check(nvrtc_.get_cubin(program_, code.data()), "reading NVRTC's output");
    return code;
  }

 private:
  const NvrtcApi& nvrtc_;
  nvrtcProgram program_ = nullptr;
};

std::string option_text(const std::vector<std::string>& options) {
  std::string text;
  for (const std::string& option : options) text += (text.empty() ? "" : " ") + option;
  return text;
}

/// The source with its definitions in front, as text: options would define them for NVRTC's built-in
/// header, too, which has templates over names such as T. The compiler's messages still count the source's
/// own lines.
std::string with_definitions(const std::string& source, const Defines& defines) {
  std::string text;
  for (const auto& [macro, value] : defines) text += "#define " + macro + ' ' + value + '\n';
  // Behind them, a byte-order mark would be none.
  return text + "#line 1\n" + source.substr(source.starts_with("\xEF\xBB\xBF") ? 3 : 0);
}

/// Texts of a kernel's source and of the files that it may include, by their paths from its folder. A file
/// that is not there has no text, so that the key changes when it appears.
struct Sources {
  std::map<std::string, std::string, std::less<>> texts;
  bool complete = true;  ///< nothing is included that is not there
};

Sources read_sources(const std::filesystem::path& source) {
  Sources sources;
  visit_sources(source, [&](const std::filesystem::path& path, const std::optional<std::string>& text,
                            std::string_view included_as) {
    if (!text && included_as.empty()) {
      throw Failure(FailureKind::compile_error, "the kernel file " + path.string() + " cannot be read");
    }
    sources.complete = sources.complete && text;
    sources.texts.emplace(path.lexically_relative(source.parent_path()).string(), text.value_or(""));
  });
  return sources;
}

/// Everything that the machine code depends on.
std::string cache_key(const std::string& nvrtc, const std::vector<std::string>& options,
                      const Sources& sources) {
  std::vector<std::string> parts{nvrtc};
  parts.insert(parts.end(), options.begin(), options.end());
  for (const auto& [name, text] : sources.texts) {
    parts.push_back(name);
    parts.push_back(text);
  }
  // With their borders, so that no two lists of parts have one key.
  std::string key;
  for (const std::string& part : parts) key += std::to_string(part.size()) + ':' + part;
  return key;
}

/// Options of NVRTC that change the code and name no file.
void check_own_options(const std::vector<std::string>& options, const std::string& source) {
  gpu::check_options(options,
                     {"--use_fast_math",
                      "-use_fast_math",
                      "--ftz=*",
                      "-ftz=*",
                      "--prec-sqrt=*",
                      "-prec-sqrt=*",
                      "--prec-div=*",
                      "-prec-div=*",
                      "--fmad=*",
                      "-fmad=*",
                      "--maxrregcount=*",
                      "-maxrregcount=*",
                      "--std=*",
                      "-std=*",
                      "--restrict",
                      "-restrict",
                      "--extra-device-vectorization",
                      "-extra-device-vectorization",
                      "--generate-line-info",
                      "-lineinfo",
                      "--disable-warnings",
                      "-w",
                      "--diag-suppress=*",
                      "-diag-suppress=*",
                      "--ptxas-options=-O*",
                      "-Xptxas=-O*",
                      "--ptxas-options=-dlcm=*",
                      "-Xptxas=-dlcm=*",
                      "--ptxas-options=--def-load-cache=*"},
                     source);
}

bool sets_standard(const std::string& option) {
  return option.starts_with("--std=") || option.starts_with("-std=");
}

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : name;
}

std::string name_line(const std::string& entry) { return "kernel '" + entry + "' is called "; }

std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

/// Which of the kernels NVRTC's log says not to find; empty if it says no such thing. It writes a name with
/// blanks of its own.
std::string missing_entry(const std::string& log, const std::set<std::string>& entries) {
  constexpr std::string_view mark = "Input name expression was: \"";
  const std::size_t at = log.find(mark);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + mark.size();
  const std::string name = without_blanks(log.substr(begin, log.find('"', begin) - begin));
  const auto is_it = [&](const std::string& entry) { return without_blanks(entry) == name; };
  const auto found = std::ranges::find_if(entries, is_it);
  return found != entries.end() ? *found : name;
}

Failure no_such_entry(const gpu::CompiledKernel& module, const std::string& entry,
                      const std::string& source, const std::string& log) {
  std::string entries;
  for (const auto& [name, ignored] : gpu::parse_ptxas_log(module.log))
    entries += (entries.empty() ? "" : ", ") + demangled(name);
  return {FailureKind::compile_error,
          source + " has no kernel '" + entry + "' (declared __global__); it has: " +
              (entries.empty() ? "none" : entries) + (log.empty() ? "" : "\n" + log)};
}

}  // namespace

Modules Compiler::compile(const KernelPlan& plan, const std::string& architecture) const {
  std::map<ModuleKey, Entries> entries;
  for (const PlannedLaunch& launch : plan.launches) entries[module_of(launch)].insert(launch.entry);
  Modules modules;
  for (const auto& [module, names] : entries)
    modules.emplace(module, compile_module(module, names, architecture));
  return modules;
}

gpu::CompiledKernel Compiler::compile_module(const ModuleKey& module, const Entries& entries,
                                             const std::string& architecture) const {
  const auto& [source, defines, own_options] = module;
  check_own_options(own_options, source);
  const std::filesystem::path file = std::filesystem::absolute(source).lexically_normal();
  const std::string path = file.string();
  const Sources sources = read_sources(file);
  const std::string& own_text = sources.texts.at(file.filename().string());

  std::vector<std::string> options{"--gpu-architecture=" + architecture, "-default-device",
                                   "--ptxas-options=-v"};
  if (std::ranges::none_of(own_options, sets_standard)) options.emplace_back("--std=c++17");
  // Registers and spills are in ptxas's report alone, so it has to run; the cache of our own keeps both.
  if (nvrtc_.caches()) options.emplace_back("--no-cache");
  // Line information comes with it; asking for that too only draws a warning from ptxas.
  if (device_debug_) options.emplace_back("--device-debug");
  options.insert(options.end(), own_options.begin(), own_options.end());
  const std::string text = with_definitions(own_text, defines);

  // The key leaves out the folder unless the code contains it: a moved tree finds its cache again.
  std::vector<std::string> key_parts = options;
  for (const auto& [macro, value] : defines) key_parts.push_back("-D" + macro + "=" + value);
  for (const std::string& entry : entries) key_parts.push_back(name_line(entry));
  if (device_debug_) key_parts.push_back(path);
  const auto toolkit = sources.complete ? std::nullopt : find_toolkit_headers();
  if (toolkit) key_parts.push_back("headers of the toolkit " + toolkit->version);
  const std::string key = cache_key(nvrtc_.identity(), key_parts, sources);
  if (auto found = cache_.load(key)) return std::move(*found);

  // The toolkit's first: its headers include others of it, which nothing beside the kernel may replace
  // unseen.
  if (toolkit) {
    for (const auto& folder : toolkit->folders) options.push_back("-I" + folder.string());
  }
  options.push_back("-I" + file.parent_path().string());
  for (const std::string& entry : entries) {
    if (!takes_texture(own_text, entry)) continue;
    throw Failure(FailureKind::unsupported,
                  source + ": kernel '" + entry +
                      "' takes a texture or a surface, which cannot be passed: read a "
                      "buffer instead");
  }
  gpu::CompiledKernel compiled = run_nvrtc(path, text, options, architecture, entries);
  const std::string problem = cache_.store(key, compiled);
  if (!problem.empty()) compiled.log += "not kept in the cache: " + problem + "\n";
  return compiled;
}

gpu::CompiledKernel Compiler::run_nvrtc(const std::string& source, const std::string& text,
                                        const std::vector<std::string>& options,
                                        const std::string& architecture, const Entries& entries) const {
  const Program program(nvrtc_, text, source);
  for (const std::string& entry : entries) program.add_name(entry);
  const nvrtcResult result = program.compile(options);
  std::string log = program.log();
  if (result == NVRTC_ERROR_INVALID_OPTION && log.find("gpu-architecture") != std::string::npos) {
    throw Failure(
        FailureKind::unsupported,
        "NVRTC " + nvrtc_.version() + " does not know the architecture " + architecture + " (" + log + ")");
  }
  if (const std::string missing = missing_entry(log, entries);
      result != NVRTC_SUCCESS && !missing.empty()) {
    // One that is extern "C" inside a namespace is there all the same.
    Entries rest = entries;
    if (rest.erase(missing) == 0) rest.clear();
    gpu::CompiledKernel without = run_nvrtc(source, text, options, architecture, rest);
    if (gpu::parse_ptxas_log(without.log).contains(missing)) return without;
    throw no_such_entry(without, missing, source, log);
  }
  if (result != NVRTC_SUCCESS) {
    const std::string remark = host_code_remark(text.substr(text.find("#line 1\n") + 8));
    const bool lacks_header = log.find("open source file") != std::string::npos;
    throw Failure(
        FailureKind::compile_error,
        "NVRTC " + nvrtc_.version() + " rejected " + source + " (" + nvrtc_.get_error_string(result) +
            "):\n" + log + (remark.empty() ? "" : remark + "\n") +
            (lacks_header ? "headers are looked for beside the kernel and in a CUDA Toolkit: CUDA_HOME, "
                            "CUDA_PATH, nvcc on the PATH, /usr/local/cuda\n"
                          : "") +
            "options: " + option_text(options));
  }
  for (const std::string& entry : entries) {
    if (const std::string name = program.lowered(entry); name != entry)
      log += name_line(entry) + name + "\n";
  }
  return {program.cubin(), log, false};
}

std::string lowered_name(const gpu::CompiledKernel& module, const std::string& entry) {
  const std::string line = name_line(entry);
  const std::size_t at = module.log.find(line);
  if (at == std::string::npos) return entry;
  const std::size_t begin = at + line.size();
  return module.log.substr(begin, module.log.find('\n', begin) - begin);
}

gpu::KernelUsage usage_of(const gpu::CompiledKernel& module, const std::string& entry,
                          const std::string& source) {
  const auto usage = gpu::parse_ptxas_log(module.log);
  if (const auto found = usage.find(lowered_name(module, entry)); found != usage.end())
    return found->second;
  throw no_such_entry(module, entry, source, {});
}

void merge_usage(Resources& resources, const gpu::KernelUsage& usage) {
  const auto largest = [&](const char* id, std::uint64_t value) {
    double& merged = resources[id];
    merged = std::max(merged, static_cast<double>(value));
  };
  largest("registers", usage.registers);
  largest("static_shared_bytes", usage.shared_bytes);
  largest("local_bytes", usage.local_bytes);
  if (usage.constant_bytes) largest("constant_bytes", *usage.constant_bytes);
  resources["spill_bytes"] += static_cast<double>(usage.spill_bytes());
}

}  // namespace benchctl::cuda
