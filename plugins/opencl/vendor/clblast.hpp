// The CLBlast library, opened at run time. Only compiled where its header was found.
#pragma once

#include "driver/api.hpp"

#include <clblast_c.h>

#include <string>

namespace benchctl::opencl {

struct ClBlast {
  decltype(&::CLBlastSgemm) sgemm = nullptr;
  decltype(&::CLBlastDgemm) dgemm = nullptr;
  decltype(&::CLBlastSsum) ssum = nullptr;
  decltype(&::CLBlastDsum) dsum = nullptr;
  decltype(&::CLBlastSnrm2) snrm2 = nullptr;
  decltype(&::CLBlastDnrm2) dnrm2 = nullptr;
  decltype(&::CLBlastSdot) sdot = nullptr;
  decltype(&::CLBlastDdot) ddot = nullptr;
  decltype(&::CLBlastSomatcopy) somatcopy = nullptr;
  decltype(&::CLBlastDomatcopy) domatcopy = nullptr;
  decltype(&::CLBlastClearCache) clear_cache = nullptr;
  std::string description;  ///< name with version, for the notes of a result
  std::string missing;      ///< why it cannot be used; empty when it can
};

/// The library of this process: libclblast.so.1 of the installation (<root>/lib), otherwise the system's.
[[nodiscard]] const ClBlast& clblast();

/// Drops the programs that the library keeps for contexts; to be called before one is released, since it
/// knows them by their addresses only. Does nothing when it was never opened.
void clear_clblast();

/// Throws the Failure that fits a status, if it is an error.
void check_clblast(CLBlastStatusCode status, const std::string& doing);

}  // namespace benchctl::opencl
