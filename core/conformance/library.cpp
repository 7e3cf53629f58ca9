// The library as a file: `loading`, and `refusal`, which offers the loader copies of it whose stamp was
// changed. The loader must see that before it trusts any code, which it can if the stamp is constant data,
// and the library must bear being let go of unused.
#include "conformance/checks.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>

namespace benchctl::conformance {

namespace fs = std::filesystem;

namespace {

/// `mine` of libbenchctl_mine.so.
std::string promised_name(const fs::path& library) {
  const std::string stem = library.stem().string();
  const std::size_t prefix = std::string_view("libbenchctl_").size();
  return stem.size() > prefix ? stem.substr(prefix) : stem;
}

void describes_itself(const PluginInfo& info, const fs::path& library) {
  want(info.name == promised_name(library),
       fmt::format("info().name is '{}', the file is {}: they must be equal", info.name,
                   library.filename()));
  for (const auto& [field, text] : {std::pair("title", info.title), std::pair("version", info.version),
                                    std::pair("build", info.build)}) {
    want(!text.empty(), fmt::format("info().{} is empty; it is stored with every result", field));
  }
}

std::vector<char> contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Places of the stamp in the library's bytes.
std::vector<std::size_t> find_stamps(const std::vector<char>& library) {
  const AbiStamp host = make_abi_stamp();
  // Its own minor version may be older: everything but that is as here.
  const auto* bytes = reinterpret_cast<const char*>(&host);
  constexpr std::size_t head = offsetof(AbiStamp, sdk_minor);
  constexpr std::size_t tail = offsetof(AbiStamp, cxx_abi);
  std::vector<std::size_t> places;
  for (auto at = library.begin();;) {
    at = std::search(at, library.end(), bytes, bytes + head);
    if (library.end() - at < static_cast<std::ptrdiff_t>(sizeof host)) return places;
    if (std::memcmp(&*at + tail, bytes + tail, sizeof host - tail) == 0) {
      places.push_back(static_cast<std::size_t>(at - library.begin()));
    }
    ++at;
  }
}

struct Change {
  const char* what;
  void (*apply)(AbiStamp& stamp);
};

constexpr std::array<Change, 4> changes{{
    {"an older interface", [](AbiStamp& stamp) { --stamp.sdk_major; }},
    {"a newer interface", [](AbiStamp& stamp) { stamp.sdk_minor += 1000; }},
    {"types of other sizes", [](AbiStamp& stamp) { stamp.sizes[2] += 8; }},
    {"an invalid stamp", [](AbiStamp& stamp) { stamp.magic = 0; }},
}};

void refuse_copy(const fs::path& library, const std::vector<char>& bytes, const fs::path& folder,
                 const Change& change) {
  const std::vector<std::size_t> stamps = find_stamps(bytes);
  want(!stamps.empty(),
       "the stamp is not constant data in the file, so that code would have to run before it can be "
       "trusted; export it with BENCHCTL_PLUGIN and nothing else");
  std::vector<char> changed = bytes;
  for (const std::size_t place : stamps) {
    AbiStamp stamp;
    std::memcpy(&stamp, changed.data() + place, sizeof stamp);
    change.apply(stamp);
    std::memcpy(changed.data() + place, &stamp, sizeof stamp);
  }
  fs::create_directories(folder);
  const fs::path copy = folder / library.filename();
  std::ofstream(copy, std::ios::binary).write(changed.data(), static_cast<std::streamsize>(changed.size()));
  const PluginHost host = PluginHost::load_libraries({copy});
  want(host.plugins().empty(), "it was loaded although its stamp says that it does not fit");
  const std::string reason = host.refused().at(0).reason;
  if (reason.starts_with("it cannot be loaded")) throw NotPossible("a copy elsewhere: " + reason);
}

}  // namespace

void check_loading(Subject& subject, Trials& trials) {
  const fs::path& library = subject.task().library;
  trials.add("the library is accepted", [&] {
    const PluginHost host = PluginHost::load_libraries({library});
    if (host.plugins().empty()) throw Broken(host.refused().at(0).reason);
  });
  trials.add("it says what it is", [&] { describes_itself(subject.plugin().info, library); });
  trials.add("it offers a backend or an observer", [&] {
    const LoadedPlugin& plugin = subject.plugin();
    want(plugin.backend != nullptr || plugin.observer != nullptr, "neither backend() nor observer()");
  });
  trials.add("it is unloaded and loaded once more", [&] {
    for (int i = 0; i < 2; ++i) {
      const PluginHost host = PluginHost::load_libraries({library});
      if (host.plugins().empty()) throw Broken("the second time: " + host.refused().at(0).reason);
    }
  });
}

void check_refusal(Subject& subject, Trials& trials) {
  const fs::path& library = subject.task().library;
  const std::vector<char> bytes = contents(library);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    trials.add(changes[i].what, [&subject, &library, bytes, i] {
      static_cast<void>(subject.plugin());
      refuse_copy(library, bytes, subject.task().folder / fmt::format("refused-{}", i), changes[i]);
    });
  }
}

}  // namespace benchctl::conformance
