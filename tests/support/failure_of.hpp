// What a plugin refuses.
#pragma once

#include <benchctl/failure.hpp>

#include "support/catch.hpp"

namespace benchctl::test {

/// The Failure with which an act must end.
template <class Act>
Failure failure_of(const Act& act) {
  try {
    act();
  } catch (const Failure& failure) {
    return failure;
  }
  FAIL("it was accepted");
  return {FailureKind::unsupported, ""};
}

}  // namespace benchctl::test
