// Fourier transforms of n complex numbers, n a power of two; numbers lie as real and imaginary part in turn.

// From the definition, in double precision: what is right.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void dft(__global const float* x, __global float* y, int n) {
  const int k = get_global_id(0);
  double real = 0, imaginary = 0;
  for (int j = 0; j < n; ++j) {
    const double turn = -2.0 * (double)((long)j * k % n) / n, c = cospi(turn), s = sinpi(turn);
    real += x[2 * j] * c - x[2 * j + 1] * s;
    imaginary += x[2 * j] * s + x[2 * j + 1] * c;
  }
  y[2 * k] = (float)real;
  y[2 * k + 1] = (float)imaginary;
}

__kernel void load(__global const float* x, __global float* to) {
  const int i = get_global_id(0);
  vstore2(vload2(i, x), i, to);
}

// Stockham's algorithm: step s joins transforms of 2^s numbers to transforms of twice as many. It reads one buffer and
// writes the other, in an order that needs no reversal of bits at the end.
__kernel void join(__global const float* from, __global float* to, int n, int step) {
  const int i = get_global_id(0), size = 1 << step, k = i & (size - 1);
  const float2 a = vload2(i, from), b = vload2(i + n / 2, from);
  const float turn = -(float)k / size, c = cospi(turn), s = sinpi(turn);
  const float2 turned = (float2)(b.x * c - b.y * s, b.x * s + b.y * c);
  vstore2(a + turned, 2 * i - k, to);
  vstore2(a - turned, 2 * i - k + size, to);
}
