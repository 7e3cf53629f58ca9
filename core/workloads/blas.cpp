#include "workloads/blas.hpp"

#include <benchctl/shared_library.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <thread>
#include <vector>

#include "workloads/generator.hpp"

namespace benchctl {

namespace {

// The C interface that CBLAS has had since 1997; the enumerators' values are part of it.
constexpr int cblas_row_major = 101;
constexpr int cblas_no_transpose = 111;
using CblasDgemm = void (*)(int order, int transpose_a, int transpose_b, int m, int n, int k, double alpha,
                            const double* a, int lda, const double* b, int ldb, double beta, double* c,
                            int ldc);
using SetThreads = void (*)(int);
using GetConfig = char* (*)();
using GetParallel = int (*)();

struct OpenBlas {
  CblasDgemm dgemm = nullptr;
  SetThreads set_threads = nullptr;
  std::string build = "none";
};

// The values of openblas_get_parallel().
std::string flavour(GetParallel get_parallel) {
  constexpr std::array<const char*, 3> names{"serial", "pthread", "openmp"};
  const int kind = get_parallel != nullptr ? get_parallel() : -1;
  return kind >= 0 && kind < static_cast<int>(names.size()) ? names[static_cast<std::size_t>(kind)]
                                                            : "unknown";
}

OpenBlas open_openblas() {
  std::vector<std::string> candidates;
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    candidates.push_back((program.parent_path().parent_path() / "lib/libopenblas.so.0").string());
  }
  // Without a folder the loader also looks along the program's own run path: a bundle's lib/.
  candidates.insert(candidates.end(), {"libopenblas.so.0", "libopenblasp.so.0", "libopenblas.so"});

  OpenBlas blas;
  for (const std::string& candidate : candidates) {
    try {
      const SharedLibrary library("OpenBLAS", {candidate});
      library.bind(blas.dgemm, "cblas_dgemm");
      library.bind(blas.set_threads, "openblas_set_num_threads");
      GetConfig config = nullptr;
      GetParallel parallel = nullptr;
      const std::string configuration = library.find(config, "openblas_get_config") ? config() : "OpenBLAS";
      library.find(parallel, "openblas_get_parallel");
      blas.build = fmt::format("{}, {}", flavour(parallel), configuration);
      return blas;
    } catch (const LibraryError&) {
      blas = {};
    }
  }
  return blas;
}

const OpenBlas& openblas() {
  static const OpenBlas blas = open_openblas();
  return blas;
}

unsigned usable_threads(unsigned wanted) {
  return wanted != 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
}

// Rows [begin, end). A block of B stays in the second-level cache.
void own_rows(const Product& p, std::size_t begin, std::size_t end) {
  constexpr std::size_t depth_block = 128;
  constexpr std::size_t column_block = 256;
  for (std::size_t i = begin; i < end && !p.accumulate; ++i) std::fill_n(p.c + i * p.ldc, p.n, 0.0);
  for (std::size_t k0 = 0; k0 < p.k; k0 += depth_block) {
    for (std::size_t j0 = 0; j0 < p.n; j0 += column_block) {
      const std::size_t columns = std::min(column_block, p.n - j0);
      for (std::size_t i = begin; i < end; ++i) {
        double* c = p.c + i * p.ldc + j0;
        for (std::size_t k = k0; k < std::min(k0 + depth_block, p.k); ++k) {
          const double* b = p.b + k * p.ldb + j0;
          const double a = p.a[i * p.lda + k];
          for (std::size_t j = 0; j < columns; ++j) c[j] += a * b[j];
        }
      }
    }
  }
}

}  // namespace

void dgemm_own(const Product& product, unsigned threads) {
  const std::size_t slices = std::clamp<std::size_t>(product.m / 16, 1, usable_threads(threads));
  run_slices(product.m, slices, threads, [&](std::size_t /*slice*/, std::size_t begin, std::size_t length) {
    own_rows(product, begin, begin + length);
  });
}

void dgemm(const Product& product, unsigned threads) {
  const OpenBlas& blas = openblas();
  if (blas.dgemm == nullptr) {
    dgemm_own(product, threads);
    return;
  }
  blas.set_threads(static_cast<int>(usable_threads(threads)));
  blas.dgemm(cblas_row_major, cblas_no_transpose, cblas_no_transpose, static_cast<int>(product.m),
             static_cast<int>(product.n), static_cast<int>(product.k), 1.0, product.a,
             static_cast<int>(product.lda), product.b, static_cast<int>(product.ldb),
             product.accumulate ? 1.0 : 0.0, product.c, static_cast<int>(product.ldc));
}

std::string blas_build() { return openblas().build; }

}  // namespace benchctl
