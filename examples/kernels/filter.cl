// A 5×5 filter of an image in a buffer, row by row: weight[j] · weight[i] of the pixel i - 2 columns and j - 2 rows away.

// Pixels beyond the border are those on it: each read asks where it is.
__kernel void filter_clamped(__global const float* image, __global const float* weight, __global float* out,
                             int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int j = 0; j < 5; ++j) {
    for (int i = 0; i < 5; ++i) {
      const int column = clamp(x + i - 2, 0, width - 1), row = clamp(y + j - 2, 0, height - 1);
      sum += weight[j] * weight[i] * image[row * width + column];
    }
  }
  out[y * width + x] = sum;
}

// The same image with a border of two pixels around it, in rows of PITCH: no read asks.
__kernel void filter_padded(__global const float* padded, __global const float* weight, __global float* out,
                            int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int j = 0; j < 5; ++j) {
    for (int i = 0; i < 5; ++i) sum += weight[j] * weight[i] * padded[(y + j) * PITCH + x + i];
  }
  out[y * width + x] = sum;
}
