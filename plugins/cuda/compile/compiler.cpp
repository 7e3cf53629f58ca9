#include "compile/compiler.hpp"

#include <benchctl/failure.hpp>
#include <benchctl/includes.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
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
using Sources = std::map<std::string, std::string, std::less<>>;

Sources read_sources(const std::filesystem::path& source) {
  Sources sources;
  visit_sources(source, [&](const std::filesystem::path& path, const std::optional<std::string>& text,
                            std::string_view included_as) {
    if (!text && included_as.empty()) {
      throw Failure(FailureKind::compile_error, "the kernel file " + path.string() + " cannot be read");
    }
    sources.emplace(path.lexically_relative(source.parent_path()).string(), text.value_or(""));
  });
  return sources;
}

/// Everything that the machine code depends on.
std::string cache_key(const std::string& nvrtc_version, const std::vector<std::string>& options,
                      const Sources& sources) {
  std::vector<std::string> parts{nvrtc_version};
  parts.insert(parts.end(), options.begin(), options.end());
  for (const auto& [name, text] : sources) {
    parts.push_back(name);
    parts.push_back(text);
  }
  // With their borders, so that no two lists of parts have one key.
  std::string key;
  for (const std::string& part : parts) key += std::to_string(part.size()) + ':' + part;
  return key;
}

}  // namespace

gpu::CompiledKernel Compiler::compile(const std::string& source, const Defines& defines,
                                      const std::string& architecture) const {
  const std::filesystem::path file = std::filesystem::absolute(source).lexically_normal();
  const std::string path = file.string();
  const Sources sources = read_sources(file);

  std::vector<std::string> options{"--gpu-architecture=" + architecture, "--std=c++17", "-default-device",
                                   "--ptxas-options=-v"};
  // Registers and spills are in ptxas's report alone, so it has to run; the cache of our own keeps both.
  if (nvrtc_.caches()) options.emplace_back("--no-cache");
  // Line information comes with it; asking for that too only draws a warning from ptxas.
  if (device_debug_) options.emplace_back("--device-debug");
  const std::string text = with_definitions(sources.at(file.filename().string()), defines);

  // The key leaves out the folder unless the code contains it: a moved tree finds its cache again.
  std::vector<std::string> key_parts = options;
  for (const auto& [macro, value] : defines) key_parts.push_back("-D" + macro + "=" + value);
  if (device_debug_) key_parts.push_back(path);
  const std::string key = cache_key(nvrtc_.version(), key_parts, sources);
  if (auto found = cache_.load(key)) return std::move(*found);

  options.push_back("-I" + std::filesystem::path(path).parent_path().string());
  gpu::CompiledKernel module = run_nvrtc(path, text, options, architecture);
  const std::string problem = cache_.store(key, module);
  if (!problem.empty()) module.log += "not kept in the cache: " + problem + "\n";
  return module;
}

gpu::CompiledKernel Compiler::run_nvrtc(const std::string& source, const std::string& text,
                                        const std::vector<std::string>& options,
                                        const std::string& architecture) const {
  const Program program(nvrtc_, text, source);
  const nvrtcResult result = program.compile(options);
  const std::string log = program.log();
  if (result == NVRTC_ERROR_INVALID_OPTION && log.find("gpu-architecture") != std::string::npos) {
    throw Failure(
        FailureKind::unsupported,
        "NVRTC " + nvrtc_.version() + " does not know the architecture " + architecture + " (" + log + ")");
  }
  if (result != NVRTC_SUCCESS) {
    throw Failure(FailureKind::compile_error, "NVRTC " + nvrtc_.version() + " rejected " + source + " (" +
                                                  nvrtc_.get_error_string(result) + "):\n" + log +
                                                  "options: " + option_text(options));
  }
  return {program.cubin(), log, false};
}

gpu::KernelUsage usage_of(const gpu::CompiledKernel& module, const std::string& entry,
                          const std::string& source) {
  const auto usage = gpu::parse_ptxas_log(module.log);
  if (const auto found = usage.find(entry); found != usage.end()) return found->second;
  std::string entries;
  for (const auto& [name, ignored] : usage) entries += (entries.empty() ? "" : ", ") + name;
  throw Failure(FailureKind::compile_error, source + " has no kernel '" + entry +
                                                "' (declared extern \"C\" __global__); it has: " +
                                                (entries.empty() ? "none" : entries));
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
