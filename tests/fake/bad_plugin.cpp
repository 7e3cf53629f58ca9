// Plugins that the host must refuse. Which fault is built in is a definition of the build.
#include <benchctl/plugin.hpp>

#include <csignal>

namespace {

constexpr benchctl::AbiStamp faulty_stamp() {
  benchctl::AbiStamp stamp = benchctl::make_abi_stamp();
#if defined(BAD_MAGIC)
  stamp.magic = 0x12345678;
#elif defined(BAD_NEWER)
  stamp.sdk_minor = BENCHCTL_SDK_MINOR + 1;
#elif defined(BAD_SIZES)
  stamp.sizes[2] += 8;
#endif
  return stamp;
}

}  // namespace

extern "C" BENCHCTL_EXPORT const benchctl::AbiStamp benchctl_abi_stamp;
extern "C" const benchctl::AbiStamp benchctl_abi_stamp = faulty_stamp();

#if defined(BAD_EMPTY)
namespace {

class EmptyPlugin : public benchctl::Plugin {
 public:
  [[nodiscard]] benchctl::PluginInfo info() const override { return {"bad_empty", "", "", ""}; }
};

}  // namespace

extern "C" BENCHCTL_EXPORT benchctl::Plugin* benchctl_create_plugin();
extern "C" benchctl::Plugin* benchctl_create_plugin() { return new EmptyPlugin(); }
#elif defined(BAD_CRASH)
extern "C" BENCHCTL_EXPORT benchctl::Plugin* benchctl_create_plugin();
extern "C" benchctl::Plugin* benchctl_create_plugin() {
  std::signal(SIGABRT, SIG_DFL);
  std::raise(SIGABRT);
  return nullptr;
}
#elif !defined(BAD_NO_FACTORY)
extern "C" BENCHCTL_EXPORT benchctl::Plugin* benchctl_create_plugin();
extern "C" benchctl::Plugin* benchctl_create_plugin() {
  throw benchctl::Failure(benchctl::FailureKind::unsupported, "this plugin never starts");
}
#endif
