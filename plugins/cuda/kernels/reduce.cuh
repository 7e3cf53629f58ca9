// What the reductions have in common: the operation, and how the threads of a block join their values.
//
// Definitions that a launch gives: REAL is the element type, OP one of sum, min, max, mean, norm, dot; BLOCK the
// number of threads of a block.
//
// An operation is an identity element, which changes nothing it is combined with; `combine`, which is associative;
// `one`, the value of a single element; and `finish`, from the combined value of all n elements to the result. A
// thread that takes many elements holds a `Running` value. The product of dot is formed where elements are loaded
// (`element`), and from there on it is a sum.
#pragma once

namespace reduction {

inline __device__ REAL infinity() { return static_cast<REAL>(__longlong_as_double(0x7ff0000000000000)); }

/// The running value of an operation whose combined value is all that it needs.
template <class Operation>
struct Plain {
  REAL value = Operation::identity();
  __device__ void add(REAL x) { value = Operation::combine(value, x); }
  __device__ void join(const Plain& other) { value = Operation::combine(value, other.value); }
  __device__ Plain from_lane_above(int distance) const { return {__shfl_down_sync(0xffffffffU, value, distance)}; }
  __device__ REAL get() const { return value; }
};

struct sum {
  using Running = Plain<sum>;
  static constexpr bool two_inputs = false;
  static __device__ REAL identity() { return 0; }
  static __device__ REAL one(REAL x) { return x; }
  static __device__ REAL combine(REAL a, REAL b) { return a + b; }
  static __device__ REAL finish(REAL total, int) { return total; }
};

struct dot : sum {
  static constexpr bool two_inputs = true;
};

struct mean : sum {
  static __device__ REAL finish(REAL total, int n) { return total / n; }
};

/// IEEE 754-2019 minimum: NaN propagates. Comparisons with it are false.
struct min : sum {
  using Running = Plain<min>;
  static __device__ REAL identity() { return infinity(); }
  static __device__ REAL combine(REAL a, REAL b) { return a < b || a != a ? a : b; }
};

struct max : sum {
  using Running = Plain<max>;
  static __device__ REAL identity() { return -infinity(); }
  static __device__ REAL combine(REAL a, REAL b) { return a > b || a != a ? a : b; }
};

/// Squares of numbers outside [small, large] would overflow or vanish, and sums of 2^30 squares with them. They are
/// scaled by a power of two, which rounds nothing.
struct Range {
  static constexpr bool single = sizeof(REAL) == 4;
  static constexpr REAL small = single ? 0x1p-51 : 0x1p-459;
  static constexpr REAL large = single ? 0x1p48 : 0x1p495;
  static constexpr REAL up = single ? 0x1p98 : 0x1p600;
  static constexpr REAL down = single ? 0x1p-80 : 0x1p-560;
};

/// Square root of the sum of squares. Norms of parts combine to sqrt(a² + b²), so that one number per thread is
/// enough; a thread that adds up many elements keeps three sums instead, and needs one root.
struct norm : sum {
  static __device__ REAL one(REAL x) { return x < 0 ? -x : x; }
  /// False for NaN, too.
  static __device__ bool is_ordinary(REAL x) { return one(x) >= Range::small && one(x) <= Range::large; }
  static __device__ REAL combine(REAL a, REAL b) {
    const REAL larger = max::combine(a, b);
    const REAL scale = larger > Range::large ? Range::down : larger < Range::small ? Range::up : 1;
    const REAL back = larger > Range::large ? 1 / Range::down : larger < Range::small ? 1 / Range::up : 1;
    const REAL x = a * scale;
    const REAL y = b * scale;
    return sqrt(x * x + y * y) * back;
  }

  struct Running {
    REAL small = 0;
    REAL ordinary = 0;
    REAL large = 0;
    __device__ void add(REAL element) {
      const REAL x = one(element);
      if (x > Range::large) {
        large += (x * Range::down) * (x * Range::down);
      } else if (x < Range::small) {
        small += (x * Range::up) * (x * Range::up);
      } else {
        ordinary += x * x;  // NaN comes here too
      }
    }
    __device__ void join(const Running& other) {
      small += other.small;
      ordinary += other.ordinary;
      large += other.large;
    }
    __device__ Running from_lane_above(int distance) const {
      return {__shfl_down_sync(0xffffffffU, small, distance), __shfl_down_sync(0xffffffffU, ordinary, distance),
              __shfl_down_sync(0xffffffffU, large, distance)};
    }
    __device__ REAL get() const {
      REAL squares = ordinary + small * (1 / Range::up) * (1 / Range::up);
      REAL back = 1;
      if (large > 0) {
        squares = large + ordinary * Range::down * Range::down;
        back = 1 / Range::down;
      } else if (ordinary == 0) {
        squares = small;
        back = 1 / Range::up;
      }
      return sqrt(squares) * back;
    }
  };
};

}  // namespace reduction

using Op = reduction::OP;

/// Term number i: y is looked at by dot alone, and is x for all others.
inline __device__ REAL element(const REAL* __restrict__ x, const REAL* __restrict__ y, size_t i) {
  return Op::two_inputs ? x[i] * y[i] : x[i];
}

/// Combines one value per thread in a tree through shared memory, and gives thread 0 the result. Any number of
/// threads: what is left of an odd number waits for the next level. Neighbouring threads use neighbouring words, so
/// that there are no bank conflicts, and the threads that have work fill whole warps.
inline __device__ REAL block_tree(REAL* shared, REAL value) {
  const unsigned t = threadIdx.x;
  shared[t] = value;
  __syncthreads();
  for (unsigned active = BLOCK; active > 1;) {
    const unsigned half = (active + 1) / 2;
    if (t < active - half) shared[t] = Op::combine(shared[t], shared[t + half]);
    __syncthreads();
    active = half;
  }
  return shared[0];
}

/// Joins what the threads of a warp hold by shuffles: registers only. Lane 0 gets the result.
inline __device__ Op::Running warp_shuffle(Op::Running running) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) running.join(running.from_lane_above(distance));
  return running;
}

/// The same for a block of whole warps, `shared` holding a value per warp: two steps of shuffles and one barrier.
/// Thread 0 gets the result.
inline __device__ REAL block_shuffle(REAL* shared, const Op::Running& running) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const REAL of_warp = warp_shuffle(running).get();
  if (lane == 0) shared[warp] = of_warp;
  __syncthreads();
  if (warp != 0) return of_warp;
  Op::Running warps;
  if (lane < BLOCK / 32) warps.add(shared[lane]);
  return warp_shuffle(warps).get();
}

/// Shared memory for `block_tree`, declared in the kernel (static) or given at launch (dynamic): the same memory.
#ifdef SHARED_DYNAMIC
#if SHARED_DYNAMIC
#define SHARED_VALUES(name) extern __shared__ REAL name[]
#else
#define SHARED_VALUES(name) __shared__ REAL name[BLOCK]
#endif
#endif
