// Code that is not ours may crash, hang or start threads when it is loaded. Where only a sentence of it is
// wanted, a child process asks for it.
#pragma once

#include <functional>
#include <string>

namespace benchctl {

struct ApartAnswer {
  std::string text;
  std::string failure;  ///< why there is no answer: "it crashed (signal 11)"; empty: there is one
};

/// What `question` returns in a child process, which ends without destructors. A child that takes longer
/// than `timeout_seconds` is killed. An exception's text is the failure. For processes without threads of
/// their own.
[[nodiscard]] ApartAnswer ask_apart(const std::function<std::string()>& question, unsigned timeout_seconds);

}  // namespace benchctl
