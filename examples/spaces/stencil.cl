// The mean of an element and its four neighbours, by tiles of `tile_x` × `tile_y` elements, one for each work-item: in
// strips of `strip` rows, along the rows or, if `down` is 1, down the strip's columns.
float mean_at(__global const float* restrict x, int width, int height, int i, int j) {
  const int left = max(i - 1, 0), right = min(i + 1, width - 1), up = max(j - 1, 0), low = min(j + 1, height - 1);
  return 0.2f * (x[j * width + i] + x[j * width + left] + x[j * width + right] + x[up * width + i] + x[low * width + i]);
}

__kernel void stencil(__global const float* restrict x, __global float* restrict y, int width, int height, int tile_x,
                      int tile_y, int strip, int down) {
  const int first_x = get_global_id(0) * tile_x, end_x = min(first_x + tile_x, width);
  const int first_y = get_global_id(1) * tile_y, end_y = min(first_y + tile_y, height);
  for (int top = first_y; top < end_y; top += strip) {
    const int bottom = min(top + strip, end_y);
    if (down) {
      for (int i = first_x; i < end_x; ++i) {
        for (int j = top; j < bottom; ++j) y[j * width + i] = mean_at(x, width, height, i, j);
      }
    } else {
      for (int j = top; j < bottom; ++j) {
        for (int i = first_x; i < end_x; ++i) y[j * width + i] = mean_at(x, width, height, i, j);
      }
    }
  }
}
