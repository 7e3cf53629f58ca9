// y = A x, A in CSR: row r has the elements row_pointers[r] … row_pointers[r + 1] - 1.

// A work-item for each row: neighbours read elements far apart, and wait for the longest of their rows.
__kernel void csr_item(__global const int* row_pointers, __global const int* columns,
                       __global const float* elements, __global const float* x, __global float* y, int rows) {
  const int row = get_global_id(0);
  if (row >= rows) return;
  float sum = 0;
  for (int j = row_pointers[row]; j < row_pointers[row + 1]; ++j) sum += elements[j] * x[columns[j]];
  y[row] = sum;
}

// GROUP work-items for each row, which read neighbouring elements: good for long rows, a waste for short ones.
__kernel void csr_group(__global const int* row_pointers, __global const int* columns,
                        __global const float* elements, __global const float* x, __global float* y, int rows) {
  __local float sums[GROUP];
  const int row = get_group_id(0), item = get_local_id(0);
  float sum = 0;
  for (int j = row_pointers[row] + item; j < row_pointers[row + 1]; j += GROUP) sum += elements[j] * x[columns[j]];
  sums[item] = sum;
  for (int step = GROUP / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < step) sums[item] += sums[item + step];
  }
  if (item == 0) y[row] = sums[0];
}
