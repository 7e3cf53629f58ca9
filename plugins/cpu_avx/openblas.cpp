#include "openblas.hpp"

#include <benchctl/failure.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace benchctl::cpu_avx {

namespace {

// Values that CBLAS fixes.
constexpr int row_major = 101;
constexpr int no_transpose = 111;
constexpr int transposed = 112;

// Without a folder the loader looks along this plugin's run path first: the lib/ of a bundle.
constexpr std::array<const char*, 3> library_names{"libopenblas.so.0", "libopenblasp.so.0",
                                                   "libopenblas.so"};

/// Names that openblas_get_corename gives to kernels with AVX-512, and to those with AVX2 (its
/// TargetList.txt).
constexpr std::array<std::string_view, 3> avx512_cores{"SkylakeX", "Cooperlake", "Sapphirerapids"};
constexpr std::array<std::string_view, 3> avx2_cores{"Haswell", "Zen", "Excavator"};

bool leaves_instructions_unused(std::string_view core) {
  const auto is_one_of = [&](const auto& cores) { return std::ranges::find(cores, core) != cores.end(); };
  if (is_one_of(avx512_cores)) return false;
  if (__builtin_cpu_supports("avx512f") != 0) return true;
  return !is_one_of(avx2_cores) && __builtin_cpu_supports("avx2") != 0;
}

}  // namespace

void OpenBlas::bind(const SharedLibrary& library) {
  char* (*get_config)() = nullptr;
  char* (*get_core_name)() = nullptr;
  library.bind(sgemm_, "cblas_sgemm");
  library.bind(dgemm_, "cblas_dgemm");
  library.bind(sdot_, "cblas_sdot");
  library.bind(ddot_, "cblas_ddot");
  library.bind(snrm2_, "cblas_snrm2");
  library.bind(dnrm2_, "cblas_dnrm2");
  library.bind(somatcopy_, "cblas_somatcopy");
  library.bind(domatcopy_, "cblas_domatcopy");
  library.bind(set_num_threads_, "openblas_set_num_threads");
  library.bind(get_num_threads_, "openblas_get_num_threads");
  library.bind(get_config, "openblas_get_config");
  library.bind(get_core_name, "openblas_get_corename");
  config_ = get_config();
  core_name_ = get_core_name();
}

OpenBlas::OpenBlas() {
  std::string tried;
  for (const char* name : library_names) {
    try {
      bind(SharedLibrary("OpenBLAS", {name}));
      return;
    } catch (const LibraryError& error) {
      tried += (tried.empty() ? "" : "; ") + std::string(error.what());
    }
  }
  throw Failure(FailureKind::unsupported,
                "variant 'vendor' needs OpenBLAS: " + tried +
                    "; install libopenblas0-pthread or your system's OpenBLAS package");
}

std::map<std::string, std::string, std::less<>> OpenBlas::notes() const {
  std::map<std::string, std::string, std::less<>> notes{{"library", config_}, {"library_core", core_name_}};
  if (leaves_instructions_unused(core_name_)) notes.emplace("old_kernel", core_name_);
  return notes;
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
