// Shared libraries opened at run time: a plugin that does so loads without them and says what is missing.
// Needs a plugin to include it; plugin.hpp does not.
#pragma once

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace benchctl {

/// No candidate could be opened, or a function is missing. The text names what was tried.
class LibraryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// It stays open to the end of the process: drivers and libraries of vendors run threads and exit handlers
/// of their own, which must not outlive their code.
class SharedLibrary {
 public:
  /// What is loaded into the process already.
  SharedLibrary() : title_("the process"), handle_(dlopen(nullptr, RTLD_NOW)) {}

  /// Opens the first candidate that loads; a candidate with a slash is a file, one without is looked up as
  /// the dynamic linker does. `title` is for people: "NVRTC". Throws LibraryError.
  SharedLibrary(std::string title, const std::vector<std::string>& candidates) : title_(std::move(title)) {
    std::string tried;
    std::string broken;
    for (const std::string& candidate : candidates) {
      tried += (tried.empty() ? "" : ", ") + candidate;
      const bool is_file = candidate.find('/') != std::string::npos;
      if (is_file && !std::filesystem::exists(candidate)) continue;
      handle_ = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
      if (handle_ != nullptr) {
        name_ = candidate;
        return;
      }
      const char* reason = dlerror();
      const std::string error = reason == nullptr ? "unknown error" : reason;
      // A file that is there but does not load is worth more words than one that is not there.
      if (is_file || error.find("No such file") == std::string::npos) broken += "; " + error;
    }
    throw LibraryError(title_ + " was not found (tried " + tried + broken + ")");
  }

  /// The candidate that was opened.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// Points `function` to the exported function `symbol`, or to nothing where there is none.
  template <class Signature>
  bool find(Signature*& function, const char* symbol) const noexcept {
    function = reinterpret_cast<Signature*>(dlsym(handle_, symbol));
    return function != nullptr;
  }

  /// The same. Throws LibraryError where there is none.
  template <class Signature>
  void bind(Signature*& function, const char* symbol) const {
    if (find(function, symbol)) return;
    throw LibraryError(title_ + " (" + name_ + ") has no function " + symbol +
                       ": it is too old or too new for this plugin");
  }

 private:
  std::string title_;
  std::string name_;
  void* handle_ = nullptr;
};

}  // namespace benchctl
