// What every kernel begins with: the size of its workgroups, and how its scalars and buffers are declared.
//
// LOCAL_SIZE_X, LOCAL_SIZE_Y and LOCAL_SIZE_Z are the threads of a block of the launch. The function that a
// launch names becomes `main`. Its scalars are push constants in the order of its arguments: SCALARS(int n; int k); or
// NO_SCALARS. Then come its buffers, numbered from 0 in that order; element i of one is name.at[i]. A buffer may be
// declared twice, as elements and as packs of them.
//
// Buffers are bound: number 2 is the storage buffer at binding 2. With BENCHCTL_BY_ADDRESS the host instead puts the
// addresses of all BENCHCTL_BUFFERS buffers before the scalars: an address has no size that a driver could check.
#pragma once

#if BENCHCTL_BY_ADDRESS
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require

#define SCALARS(list) layout(push_constant) uniform Scalars { uvec2 address[BENCHCTL_BUFFERS]; list; }
#define NO_SCALARS layout(push_constant) uniform Scalars { uvec2 address[BENCHCTL_BUFFERS]; };
// Buffers begin at multiples of 16 bytes, so that each element lies at a multiple of its size.
#define BUFFER(number, type, name, memory)                                                                 \
  layout(buffer_reference, std430, buffer_reference_align = 16) memory buffer name##_block { type at[]; }; \
  name##_block name = name##_block(address[number])
#else
#define SCALARS(list) layout(push_constant) uniform Scalars { list; }
#define NO_SCALARS
#define BUFFER(number, type, name, memory) \
  layout(std430, binding = number) memory buffer name##_block { type at[]; } name
#endif

layout(local_size_x = LOCAL_SIZE_X, local_size_y = LOCAL_SIZE_Y, local_size_z = LOCAL_SIZE_Z) in;

#define IN(number, type, name) BUFFER(number, type, name, restrict readonly)
#define OUT(number, type, name) BUFFER(number, type, name, restrict)
// Seen by other workgroups of the same launch.
#define SHARED_BY_ALL(number, type, name) BUFFER(number, type, name, coherent)
