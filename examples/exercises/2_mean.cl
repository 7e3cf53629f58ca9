// Exercise 2: the mean of 512 numbers in two launches, since work-groups cannot wait for each other.
//
// Task: `sums_of_32` leaves 16 sums in `partial`, one a work-group. `mean_of_16` makes the mean of all 512 of them.
// Mind     - Here one work-item of each group does all the work: let all of them take part, as in exercise 1.
__kernel void sums_of_32(__global const float* x, __global float* partial) {
  const int first = get_group_id(0) * 32;
  if (get_local_id(0) == 0) partial[get_group_id(0)] = x[first];  // one number of 32
}

__kernel void mean_of_16(__global const float* partial, __global float* result) {
  if (get_local_id(0) == 0) *result = partial[0];
}
