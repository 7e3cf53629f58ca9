// Has a processor's threads awake when the next command begins.
//
// What it shows   A thread of an OpenCL driver that sleeps is woken by the first command with work for it: some 10 us, in
//                 which one core could have read a megabyte. Threads that watch for work are there at once.
// How             `watch`, one work-group for each thread but one, counts itself in and watches `called`. The last thread
//                 runs `call`, in the queue of what is to be measured: it waits for the others, and then calls. They
//                 stay for as long as a driver takes to get from one command to the next; to sleep before that would
//                 cost the wake that this is to spare.
// Expected limit  None: nothing of this is timed. No wait is without end, for a driver may run one queue after the other,
//                 or have fewer threads than it says.
//
// `turn` tells the uses apart: it is the number of this one. `watchers` have been started in each.

#if defined(__has_builtin)
#if __has_builtin(__builtin_ia32_pause)
#define REST() __builtin_ia32_pause()
#endif
#endif
#ifndef REST
#define REST()
#endif

// A millisecond; a microsecond.
#define PATIENCE 20000
#define LINGER 96

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void watch(volatile __global uint* arrived, volatile __global uint* called, const uint turn) {
  atomic_inc(arrived);
  for (uint i = 0; i < PATIENCE && *called != turn; ++i) REST();
  for (volatile uint i = 0; i < LINGER; ++i) REST();
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void call(volatile __global uint* arrived, volatile __global uint* called, const uint turn, const uint watchers) {
  for (uint i = 0; i < PATIENCE && *arrived != turn * watchers; ++i) REST();
  *called = turn;
}
