// What an invocation of the access kernels moves at once: WIDTH bytes, an ELEMENT in memory. 8 and 16 bits exist in
// memory alone; a VALUE of at least 32 bits stands for them elsewhere.
#pragma once

#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require

#if WIDTH == 1
#define ELEMENT uint8_t
#elif WIDTH == 2
#define ELEMENT uint16_t
#elif WIDTH == 4
#define ELEMENT uint
#elif WIDTH == 8
#define ELEMENT uvec2
#else
#define ELEMENT uvec4
#endif

// What a masked invocation writes: every byte 0x5A.
#if WIDTH == 1
#define VALUE uint
#define FILL 0x5Au
#elif WIDTH == 2
#define VALUE uint
#define FILL 0x5A5Au
#else
#define VALUE ELEMENT
#define FILL ELEMENT(0x5A5A5A5Au)
#endif
