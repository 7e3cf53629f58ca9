// How a shared library becomes a plugin: one exported stamp, read before any code of the library is
// trusted, and one exported factory.
//
//     class MyPlugin : public benchctl::Plugin { … };
//     BENCHCTL_PLUGIN(MyPlugin)
#pragma once

#include <benchctl/backend.hpp>
#include <benchctl/observer.hpp>

#include <cstring>

/// Version of the interface between program and plugins. MAJOR rises if plugins must be rebuilt: a virtual
/// function, a member or a meaning changed. MINOR rises with additions that change no layout and that older
/// plugins do not need: free functions, helper headers, enumerators, calls into a newer program.
/// A program loads plugins with its own MAJOR
/// and a MINOR up to its own.
#define BENCHCTL_SDK_MAJOR 6
/// See BENCHCTL_SDK_MAJOR.
#define BENCHCTL_SDK_MINOR 1

#if defined(_WIN32)
#error "benchctl plugins are ELF shared libraries"
#else
/// Makes a symbol visible outside of the library.
#define BENCHCTL_EXPORT __attribute__((visibility("default")))
#endif

namespace benchctl {

/// First word of every stamp: "BNCH".
inline constexpr std::uint32_t abi_magic = 0x424e4348;

/// What must agree between host and plugin before a C++ object may cross the border. Plain data of
/// fixed layout.
struct AbiStamp {
  std::uint32_t magic = abi_magic;               ///< tells a stamp from anything else
  std::uint32_t stamp_bytes = sizeof(AbiStamp);  ///< size of this structure
  std::uint32_t sdk_major = BENCHCTL_SDK_MAJOR;  ///< must be equal
  std::uint32_t sdk_minor = BENCHCTL_SDK_MINOR;  ///< the plugin's must not be newer than the host's
  std::uint32_t cxx_abi = 0;       ///< the compiler's C++ ABI version, rounded to what is compatible
  std::uint32_t string_abi = 0;    ///< libstdc++'s dual ABI: 1 is the C++11 string
  std::uint32_t sizes[8] = {};     ///< sizes of the types that cross the plugin boundary
  char standard_library[24] = {};  ///< "libstdc++" or "libc++"
};

/// The stamp of the compiler and headers that this translation unit is built with.
[[nodiscard]] constexpr AbiStamp make_abi_stamp() {
  AbiStamp stamp;
  // __GXX_ABI_VERSION moves with every compiler release; objects stay compatible from 1002 on.
  stamp.cxx_abi = __GXX_ABI_VERSION >= 1002 ? 1002 : __GXX_ABI_VERSION;
#if defined(_GLIBCXX_USE_CXX11_ABI)
  stamp.string_abi = _GLIBCXX_USE_CXX11_ABI;
  constexpr std::string_view library = "libstdc++";
#elif defined(_LIBCPP_VERSION)
  constexpr std::string_view library = "libc++";
#else
  constexpr std::string_view library = "unknown";
#endif
  for (std::size_t i = 0; i < library.size(); ++i) stamp.standard_library[i] = library[i];
  constexpr std::size_t sizes[8] = {sizeof(std::string), sizeof(Parameters),     sizeof(VariantInfo),
                                    sizeof(DeviceInfo),  sizeof(ProblemRequest), sizeof(PrepareRequest),
                                    sizeof(SampleBlock), sizeof(CompileResult)};
  for (std::size_t i = 0; i < 8; ++i) stamp.sizes[i] = static_cast<std::uint32_t>(sizes[i]);
  return stamp;
}

/// A plugin's description of itself.
struct PluginInfo {
  std::string name;     ///< a backend's name in configs: `cuda`; lower case, digits, underscore
  std::string title;    ///< for people: "NVIDIA CUDA"
  std::string version;  ///< the plugin's version
  std::string build;    ///< compiler, toolkit and flags that it was built with
  /// Environment variables that its driver and libraries heed, by how their names begin: `CUDA_`. Those
  /// that are set are stored with every run and warned of in comparisons. At least three of A to Z, 0 to 9
  /// and `_`. The one by which a scheduler chooses devices has its whole name: `CUDA_VISIBLE_DEVICES`.
  std::vector<std::string> variables = {};
};

/// Does an environment variable only say which device it is, not how code is made or runs on it:
/// `CUDA_VISIBLE_DEVICES`, `CUDA_DEVICE_ORDER`? Keys of results and of compiled kernels leave these out.
[[nodiscard]] inline bool only_chooses_devices(std::string_view variable) {
  return variable.ends_with("_VISIBLE_DEVICES") || variable.ends_with("_DEVICE_ORDER");
}

/// The factory's product. One object per process, destroyed at its end. It offers a backend, an observer
/// or both, and owns them.
class Plugin {
 public:
  Plugin() = default;
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;
  virtual ~Plugin() = default;

  /// Static data.
  [[nodiscard]] virtual PluginInfo info() const = 0;
  /// Its backend; null: it only observes.
  [[nodiscard]] virtual Backend* backend() { return nullptr; }
  /// Its observer; null: none.
  [[nodiscard]] virtual Observer* observer() { return nullptr; }
};

}  // namespace benchctl

/// Exports `Class` (default constructible, derived from benchctl::Plugin) as this library's plugin.
#define BENCHCTL_PLUGIN(Class)                                                             \
  extern "C" BENCHCTL_EXPORT const ::benchctl::AbiStamp benchctl_abi_stamp;                \
  extern "C" const ::benchctl::AbiStamp benchctl_abi_stamp = ::benchctl::make_abi_stamp(); \
  extern "C" BENCHCTL_EXPORT ::benchctl::Plugin* benchctl_create_plugin();                 \
  extern "C" ::benchctl::Plugin* benchctl_create_plugin() { return new Class(); }
