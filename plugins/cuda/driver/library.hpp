// Shared libraries opened at run time: the driver, NVRTC, cuBLAS.
#pragma once

#include "gpu/self_path.hpp"

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace benchctl::cuda {

/// None of the candidates could be opened, or a function is missing. The text names every candidate that
/// was tried.
class LibraryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class SharedLibrary {
 public:
  /// Opens the first candidate that loads; a candidate with a slash is a file, one without is looked up as
  /// the dynamic linker does. `title` is for people: "NVRTC". Throws LibraryError.
  SharedLibrary(std::string title, const std::vector<std::string>& candidates);

  [[nodiscard]] const std::string& title() const noexcept { return title_; }
  /// The candidate that was opened.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// Points `function` to the exported function `symbol`. Throws LibraryError.
  template <class Signature>
  void bind(Signature*& function, const char* symbol) const {
    function = reinterpret_cast<Signature*>(address(symbol));
  }

 private:
  [[nodiscard]] void* address(const char* symbol) const;

  std::string title_;
  std::string name_;
  void* handle_ = nullptr;  // never closed: see the constructor
};

using gpu::plugin_directory;

/// Where a library of the CUDA Toolkit may be: beside the plugin, where the dynamic linker looks,
/// `$CUDA_HOME`, `$CUDA_PATH` and /usr/local/cuda, under the names `stem.so.13`, `stem.so.12`, `stem.so`.
[[nodiscard]] std::vector<std::string> toolkit_candidates(const std::string& stem);

}  // namespace benchctl::cuda
