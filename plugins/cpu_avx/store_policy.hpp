// Through the caches or past them: how variants that write much are asked, and what they do unasked.
#pragma once

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
              "past them when its buffers exceed half of the threads' share of the last cache",
          {"store == 'auto' or store == 'cached' or store == 'streaming'"},
          {std::string("auto"), std::string("cached"), std::string("streaming")}};
}

/// Is `store` to be streaming, for buffers of `bytes` in all? An ordinary store reads the line first, which
/// costs a third of a sum of vectors beyond the caches; within them it is the streaming store that goes a
/// long way. On two machines (32 MB for 2 cores, 300 MB for 16) the one became the faster between a
/// quarter and the whole of a core's share of the last cache.
[[nodiscard]] inline bool wants_streaming(const PrepareRequest& request, const Machine& machine,
                                          std::size_t bytes, unsigned threads) {
  const std::string& store = word_tunable(request, "store");
  if (store != "auto") return store == "streaming";
  const std::size_t share = machine.topology.last_level_cache_total_bytes / machine.topology.cores.size();
  return bytes > share * threads / 2;
}

}  // namespace benchctl::cpu_avx
