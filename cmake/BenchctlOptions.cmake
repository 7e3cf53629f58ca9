# Two interface targets. `benchctl_language` is what every target of ours needs; `benchctl_warnings`
# makes warnings errors and is linked PRIVATE, so that no consumer ever sees it.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# A compiler cache, if there is one when a build folder is first configured. (Later would compile everything anew.)
if(NOT DEFINED BENCHCTL_CCACHE)
  find_program(ccache ccache)
  mark_as_advanced(ccache)
  if(NOT ccache)
    set(ccache "")
  endif()
  set(BENCHCTL_CCACHE "${ccache}" CACHE STRING "The compiler cache to compile through; empty: none")
endif()
if(BENCHCTL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${BENCHCTL_CCACHE}")
endif()

# __FILE__, which every assertion of a test has, without the folder of this build.
add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=>")

add_library(benchctl_warnings INTERFACE)
target_compile_options(benchctl_warnings INTERFACE
  $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Wall -Wextra -Wpedantic -Wconversion -Wnon-virtual-dtor
  -Wold-style-cast -Woverloaded-virtual -Wdouble-promotion>
  # Newer compilers warn of more: that stops nobody's first build.
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Werror>)
# In a group of files a name of one may be a parameter's name in another.
if(NOT BENCHCTL_UNITY)
  target_compile_options(benchctl_warnings INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Wshadow>)
endif()

# For code that waits for devices, files and readers: -Og compiles in two thirds of the time of -O2.
add_library(benchctl_quick_compile INTERFACE)
target_compile_options(benchctl_quick_compile INTERFACE
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>,$<CONFIG:Release>>:-Og>)

# GCC collects its garbage from 128 MB on, which is a fifteenth of its time.
add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=524288>")

if(BENCHCTL_SANITIZE)
  list(JOIN BENCHCTL_SANITIZE "," sanitizers)
  add_compile_options(-fsanitize=${sanitizers} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${sanitizers})
  add_compile_definitions(BENCHCTL_SANITIZED=1)
  # GCC's sanitizers make it warn about code that is right.
  target_compile_options(benchctl_warnings INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  # An object library: a program that only might need it would not take it from a static one.
  add_library(benchctl_sanitizer_options OBJECT "${CMAKE_SOURCE_DIR}/cmake/sanitizer_options.cpp")
endif()
