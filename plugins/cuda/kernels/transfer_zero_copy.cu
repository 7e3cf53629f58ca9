// Copies BYTES bytes between host and device without the copy engine: one side is pinned memory of the host.
//
// What it shows   A kernel can use the host's memory where it is ("zero-copy"). Worth it for data that are used once.
// Access pattern  16 bytes a thread, neighbours beside one another: each access crosses the bus in whole lines.
// Expected limit  The bus. Loads from the host wait for an answer: more of them must be under way than a copy engine needs.
extern "C" __global__ void transfer_zero_copy(const unsigned char* __restrict__ source, unsigned char* __restrict__ target) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const size_t whole = BYTES / 16;
  if (i < whole) reinterpret_cast<uint4*>(target)[i] = reinterpret_cast<const uint4*>(source)[i];
  if (i < BYTES % 16) target[whole * 16 + i] = source[whole * 16 + i];
}
