# Run with -P by the target benchctl_write_revision: writes SOURCE, which tells the Git revision of TREE. It is
# "unknown" where TREE is no clone of its own, such as an unpacked archive inside another project's clone.
set(revision "unknown")
find_program(git git NO_CACHE)
if(git)
  execute_process(COMMAND "${git}" -C "${TREE}" rev-parse --show-toplevel
    OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(top)
    file(REAL_PATH "${top}" top)
    file(REAL_PATH "${TREE}" tree)
    if(top STREQUAL tree)
      execute_process(COMMAND "${git}" -C "${TREE}" describe --always --dirty --abbrev=10 --match "v[0-9]*"
        OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
      if(described MATCHES "^[A-Za-z0-9._-]+$")
        set(revision "${described}")
      endif()
    endif()
  endif()
endif()
set(text "// Written by cmake/WriteRevision.cmake.
namespace benchctl::cli {
extern const char* const revision;
const char* const revision = \"${revision}\";
}  // namespace benchctl::cli
")
set(before "")
if(EXISTS "${SOURCE}")
  file(READ "${SOURCE}" before)
endif()
if(NOT before STREQUAL text)
  file(WRITE "${SOURCE}" "${text}")
endif()
