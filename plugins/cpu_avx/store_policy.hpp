// Through the caches or past them: how variants that write much are asked, and what they do unasked.
#pragma once

#include <algorithm>

#include <string>

#include "request.hpp"
#include "table.hpp"

namespace benchctl::cpu_avx {

/// The tunable `store`.
[[nodiscard]] inline TunableInfo store_tunable(const char* what) {
  return {"store",
          std::string("auto"),
          std::string("how ") + what +
              " is written: through the caches, or past them (streaming stores) where it is aligned; auto: "
              "past them when its buffers exceed the threads' share of the last cache, or 64 MB",
          {"store == 'auto' or store == 'cached' or store == 'streaming'"},
          {std::string("auto"), std::string("cached"), std::string("streaming")}};
}

/// Is `store` to be streaming, for buffers of `bytes` in all? An ordinary store reads the line first, which
/// costs a third of a sum of vectors beyond the caches; within them it is the streaming store that goes a
/// long way. With all threads of two machines the one became the faster at 32 to 36 MB (a last cache of 32
/// MB for 2 cores) and at 50 to 100 MB (one of hundreds of megabytes for 16, which others use, too).
[[nodiscard]] inline bool wants_streaming(const PrepareRequest& request, const Machine& machine,
                                          std::size_t bytes, unsigned threads) {
  constexpr std::size_t most = std::size_t{64} << 20;
  const std::string& store = word_tunable(request, "store");
  if (store != "auto") return store == "streaming";
  const std::size_t share = machine.topology.last_level_cache_total_bytes / machine.topology.cores.size();
  return bytes > std::min(share * threads, most);
}

}  // namespace benchctl::cpu_avx
