// What every kernel begins with: the size of its workgroups, and how its buffers are declared.
//
// LOCAL_SIZE_X, LOCAL_SIZE_Y and LOCAL_SIZE_Z are the threads of a block of the launch. The function that a
// launch names becomes `main`. Its buffers are bound in the order of its arguments, from 0 on; its scalars are
// push constants in that order.
#pragma once

layout(local_size_x = LOCAL_SIZE_X, local_size_y = LOCAL_SIZE_Y, local_size_z = LOCAL_SIZE_Z) in;

// An array of elements of a type. A binding may be declared twice, as elements and as packs of them.
#define IN(place, type, name) \
  layout(std430, binding = place) restrict readonly buffer name##_block { type name[]; }
#define OUT(place, type, name) \
  layout(std430, binding = place) restrict buffer name##_block { type name[]; }
// Seen by other workgroups of the same launch.
#define SHARED_BY_ALL(place, type, name) \
  layout(std430, binding = place) coherent buffer name##_block { type name[]; }
