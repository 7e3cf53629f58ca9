// reduce/vendor: cub::DeviceReduce, with the semantics that the workload asks of everybody: `minimum` and
// `maximum` propagate NaN, and a norm neither overflows nor underflows. The finish of a mean
// or a norm happens where CUB writes its result, so that no launch is added to CUB's own.
#include "cub_reduce.hpp"

#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>

#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <limits>

namespace benchctl::cuda {

namespace {

struct Sum {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a + b;
  }
};

struct Minimum {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a < b || a != a ? a : b;
  }
};

struct Maximum {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a > b || a != a ? a : b;
  }
};

/// Limits between which squares and sums of 2^30 of them are exact enough, and powers of two that bring
/// what lies outside between them (the three accumulators of J. L. Blue, "A portable Fortran program to find
/// the Euclidean norm of a vector", 1978).
template <class T>
struct Scale;
template <>
struct Scale<float> {
  static constexpr float small = 0x1p-51F, large = 0x1p48F, up = 0x1p98F, down = 0x1p-80F;
};
template <>
struct Scale<double> {
  static constexpr double small = 0x1p-459, large = 0x1p495, up = 0x1p600, down = 0x1p-560;
};

/// Sums of the squares of small (scaled up), ordinary and large (scaled down) numbers.
template <class T>
struct Squares {
  T small, ordinary, large;

  __host__ __device__ Squares operator+(const Squares& other) const {
    return {small + other.small, ordinary + other.ordinary, large + other.large};
  }
};

template <class T>
struct Square {
  __host__ __device__ Squares<T> operator()(T x) const {
    const T a = x < 0 ? -x : x;
    if (a > Scale<T>::large) return {0, 0, (a * Scale<T>::down) * (a * Scale<T>::down)};
    if (a < Scale<T>::small) return {(a * Scale<T>::up) * (a * Scale<T>::up), 0, 0};
    return {0, a * a, 0};
  }
};

template <class T>
struct Root {
  __host__ __device__ T operator()(const Squares<T>& sums) const {
    if (sums.large > 0) {
      return sqrt(sums.large + sums.ordinary * Scale<T>::down * Scale<T>::down) / Scale<T>::down;
    }
    if (sums.ordinary == 0) return sqrt(sums.small) / Scale<T>::up;
    return sqrt(sums.ordinary + sums.small / Scale<T>::up / Scale<T>::up);
  }
};

template <class T>
struct Quotient {
  T divisor;
  __host__ __device__ T operator()(T total) const { return total / divisor; }
};

struct Product {
  template <class Pair>
  __host__ __device__ auto operator()(const Pair& pair) const {
    return thrust::get<0>(pair) * thrust::get<1>(pair);
  }
};

template <class T>
cudaError_t reduce(const CubReduction& r, void* temporary, std::size_t& bytes, cudaStream_t stream) {
  const T* x = static_cast<const T*>(r.x);
  const T* y = static_cast<const T*>(r.y);
  T* result = static_cast<T*>(r.result);
  constexpr T infinity = std::numeric_limits<T>::infinity();
  const auto run = [&](auto in, auto out, auto op, auto identity) {
    return cub::DeviceReduce::Reduce(temporary, bytes, in, out, r.n, op, identity, stream);
  };
  switch (r.op) {
    case CubOp::sum:
      return run(x, result, Sum{}, T{0});
    case CubOp::mean:
      return run(x, thrust::make_transform_output_iterator(result, Quotient<T>{static_cast<T>(r.n)}), Sum{},
                 T{0});
    case CubOp::min:
      return run(x, result, Minimum{}, infinity);
    case CubOp::max:
      return run(x, result, Maximum{}, -infinity);
    case CubOp::norm:
      return run(thrust::make_transform_iterator(x, Square<T>{}),
                 thrust::make_transform_output_iterator(result, Root<T>{}), Sum{}, Squares<T>{0, 0, 0});
    case CubOp::dot:
      return run(thrust::make_transform_iterator(thrust::make_zip_iterator(thrust::make_tuple(x, y)),
                                                 Product{}),
                 result, Sum{}, T{0});
  }
  return cudaErrorInvalidValue;
}

CubError run(const CubReduction& reduction, void* temporary, std::size_t& bytes, cudaStream_t stream) {
  const cudaError_t status = reduction.is_f64 ? reduce<double>(reduction, temporary, bytes, stream)
                                              : reduce<float>(reduction, temporary, bytes, stream);
  return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}

}  // namespace

CubError cub_temporary_bytes(const CubReduction& reduction, std::size_t& bytes) {
  bytes = 0;
  return run(reduction, nullptr, bytes, nullptr);
}

CubError cub_reduce(const CubReduction& reduction, void* temporary, std::size_t bytes, void* stream) {
  return run(reduction, temporary, bytes, static_cast<cudaStream_t>(stream));
}

#define BENCHCTL_TEXT_OF(x) #x
#define BENCHCTL_TEXT(x) BENCHCTL_TEXT_OF(x)
const char* cub_version() {
  return "CUB " BENCHCTL_TEXT(CUB_MAJOR_VERSION) "." BENCHCTL_TEXT(CUB_MINOR_VERSION) "." BENCHCTL_TEXT(
      CUB_SUBMINOR_VERSION);
}

}  // namespace benchctl::cuda
