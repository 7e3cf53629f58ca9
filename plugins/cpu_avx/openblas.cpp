#include "openblas.hpp"

#include <dlfcn.h>

#include <benchctl/failure.hpp>

#include <array>

namespace benchctl::cpu_avx {

namespace {

// Values that CBLAS fixes.
constexpr int row_major = 101;
constexpr int no_transpose = 111;
constexpr int transposed = 112;

// Without a folder the loader looks along this plugin's run path first: the lib/ of a bundle.
constexpr std::array<const char*, 3> library_names{"libopenblas.so.0", "libopenblasp.so.0",
                                                   "libopenblas.so"};

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

bool OpenBlas::bind(void* library) {
  char* (*get_config)() = nullptr;
  char* (*get_core_name)() = nullptr;
  if (!find(library, "cblas_sgemm", sgemm_) || !find(library, "cblas_dgemm", dgemm_) ||
      !find(library, "cblas_sdot", sdot_) || !find(library, "cblas_ddot", ddot_) ||
      !find(library, "cblas_snrm2", snrm2_) || !find(library, "cblas_dnrm2", dnrm2_) ||
      !find(library, "cblas_somatcopy", somatcopy_) || !find(library, "cblas_domatcopy", domatcopy_) ||
      !find(library, "openblas_set_num_threads", set_num_threads_) ||
      !find(library, "openblas_get_num_threads", get_num_threads_) ||
      !find(library, "openblas_get_config", get_config) ||
      !find(library, "openblas_get_corename", get_core_name)) {
    return false;
  }
  config_ = get_config();
  core_name_ = get_core_name();
  return true;
}

OpenBlas::OpenBlas() {
  std::string tried;
  for (const char* name : library_names) {
    // Never closed: it has threads of its own.
    if (void* library = dlopen(name, RTLD_LAZY | RTLD_LOCAL); library != nullptr) {
      if (bind(library)) return;
      tried += std::string(tried.empty() ? "" : "; ") + name + ": lacks a function of OpenBLAS";
      continue;
    }
    const char* error = dlerror();
    tried += std::string(tried.empty() ? "" : "; ") + (error != nullptr ? error : name);
  }
  throw Failure(FailureKind::unsupported,
                "variant 'vendor' needs OpenBLAS, which could not be opened (" + tried +
                    "): install libopenblas0-pthread or your system's OpenBLAS package");
}

const OpenBlas& OpenBlas::instance() {
  static const OpenBlas library;
  return library;
}

void OpenBlas::multiply(std::int32_t m, std::int32_t n, std::int32_t k, const float* a, const float* b,
                        float* c) const {
  sgemm_(row_major, no_transpose, no_transpose, m, n, k, 1.0F, a, k, b, n, 0.0F, c, n);
}

void OpenBlas::multiply(std::int32_t m, std::int32_t n, std::int32_t k, const double* a, const double* b,
                        double* c) const {
  dgemm_(row_major, no_transpose, no_transpose, m, n, k, 1.0, a, k, b, n, 0.0, c, n);
}

float OpenBlas::dot(std::int32_t n, const float* x, const float* y) const { return sdot_(n, x, 1, y, 1); }
double OpenBlas::dot(std::int32_t n, const double* x, const double* y) const {
  return ddot_(n, x, 1, y, 1);
}
float OpenBlas::norm(std::int32_t n, const float* x) const { return snrm2_(n, x, 1); }
double OpenBlas::norm(std::int32_t n, const double* x) const { return dnrm2_(n, x, 1); }

void OpenBlas::transpose(std::int32_t rows, std::int32_t columns, const float* in, float* out) const {
  somatcopy_(row_major, transposed, rows, columns, 1.0F, in, columns, out, rows);
}

void OpenBlas::transpose(std::int32_t rows, std::int32_t columns, const double* in, double* out) const {
  domatcopy_(row_major, transposed, rows, columns, 1.0, in, columns, out, rows);
}

unsigned OpenBlas::set_threads(unsigned threads) const {
  set_num_threads_(static_cast<int>(threads));
  return static_cast<unsigned>(get_num_threads_());
}

}  // namespace benchctl::cpu_avx
