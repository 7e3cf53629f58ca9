# reduce/vendor: CUB has host code, so that nvcc compiles it here, at build time. Sets `cub_object` and
# `cub_runtime` when that is possible, otherwise `cub_missing` to the reason.
set(cub_missing "")
option(BENCHCTL_CUB "Compile CUB's variants, which takes a minute and serves NVIDIA GPUs alone" ON)
if(NOT BENCHCTL_CUB)
  set(cub_missing "BENCHCTL_CUB is off")
  return()
endif()
find_program(BENCHCTL_NVCC nvcc HINTS ${cuda_hints} PATH_SUFFIXES bin)
find_library(BENCHCTL_CUDART_STATIC cudart_static HINTS ${cuda_hints}
  PATH_SUFFIXES lib64 lib targets/x86_64-linux/lib)
mark_as_advanced(BENCHCTL_NVCC BENCHCTL_CUDART_STATIC)
if("thread" IN_LIST BENCHCTL_SANITIZE)
  # Its atexit() forgets which library it was called from: what the CUDA runtime registers would be called when
  # the program ends, after the plugin has been unloaded.
  set(cub_missing "not under the thread sanitizer, whose atexit() does not bear unloaded libraries")
  return()
endif()
if(NOT BENCHCTL_NVCC)
  set(cub_missing "no nvcc")
  return()
endif()
if(NOT BENCHCTL_CUDART_STATIC)
  set(cub_missing "no libcudart_static.a")
  return()
endif()

# Code for those of our architectures that this nvcc knows, and PTX for all others.
execute_process(COMMAND "${BENCHCTL_NVCC}" --list-gpu-code OUTPUT_VARIABLE cub_known RESULT_VARIABLE cub_failed
  ERROR_QUIET)
if(cub_failed OR NOT cub_known MATCHES "sm_80")
  set(cub_missing "${BENCHCTL_NVCC} does not run, or does not know sm_80")
  return()
endif()
set(cub_codes "-gencode=arch=compute_80,code=[sm_80,compute_80]")
foreach(architecture IN ITEMS 90 100 120)
  if(cub_known MATCHES "sm_${architecture}[^0-9a-z]")
    list(APPEND cub_codes "-gencode=arch=compute_${architecture},code=sm_${architecture}")
  endif()
endforeach()

# Whether nvcc takes this host compiler, which a newer one than it knows would not be.
set(cub_command "${BENCHCTL_NVCC}" -ccbin "${CMAKE_CXX_COMPILER}" -std=c++17 -O3
  -Xcompiler=-fPIC,-fvisibility=hidden,-fvisibility-inlines-hidden)
set(cub_probe "${CMAKE_CURRENT_BINARY_DIR}/cub_probe")
if(NOT EXISTS "${cub_probe}.o" OR "${BENCHCTL_NVCC}" IS_NEWER_THAN "${cub_probe}.o")
  file(WRITE "${cub_probe}.cu" "#include <cub/version.cuh>\n__global__ void probe() {}\n")
  execute_process(COMMAND ${cub_command} -arch=sm_80 -c "${cub_probe}.cu" -o "${cub_probe}.o"
    RESULT_VARIABLE cub_failed OUTPUT_VARIABLE cub_log ERROR_VARIABLE cub_log)
  if(cub_failed)
    string(REGEX MATCH "[^\n]*error[^\n]*" cub_error "${cub_log}")
    set(cub_missing "nvcc with ${CMAKE_CXX_COMPILER} compiles no CUB: ${cub_error}")
    return()
  endif()
endif()

set(cub_object "${CMAKE_CURRENT_BINARY_DIR}/cub_reduce.o")
set(cub_runtime "${BENCHCTL_CUDART_STATIC}" rt)
add_custom_command(OUTPUT "${cub_object}"
  COMMAND ${cub_command} ${cub_codes} -MD -MF "${cub_object}.d" -c "${CMAKE_CURRENT_LIST_DIR}/cub_reduce.cu"
    -o "${cub_object}"
  DEPENDS "${CMAKE_CURRENT_LIST_DIR}/cub_reduce.cu" DEPFILE "${cub_object}.d"
  COMMENT "Compiling CUB's reductions with nvcc" VERBATIM)
