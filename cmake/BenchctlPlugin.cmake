# What a plugin's CMakeLists.txt calls, in this tree and out of it: a part of the CMake package.

# benchctl_add_plugin(NAME SOURCES file… [KERNELS file…] [OUTPUT_DIRECTORY folder])
#
# Builds libbenchctl_NAME.so against the SDK alone. Its kernel files, all in one folder, are found at run time in
# kernels/NAME beside it: a link to that folder in the build tree, so that a debugger shows the file one edits;
# copies when installed. The library is put into lib/benchctl/plugins in the tree of benchctl itself, and elsewhere
# into `plugins` in the project's build folder, which is what `benchctl --plugin-path` is given; OUTPUT_DIRECTORY is
# another one, relative to the build folder. It is installed into lib/benchctl/plugins, where a program of the same
# prefix looks by itself. Link further libraries to the target benchctl_plugin_NAME.
function(benchctl_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT_DIRECTORY" "SOURCES;KERNELS")
  if(NOT name MATCHES "^[a-z0-9_]+$")
    message(FATAL_ERROR "benchctl_add_plugin(${name}): a name is made of lower-case letters, digits and '_'")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "benchctl_add_plugin(${name}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}; there are "
      "SOURCES, KERNELS and OUTPUT_DIRECTORY")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "benchctl_add_plugin(${name}): SOURCES names no file")
  endif()
  set(installed "lib/benchctl/plugins")
  if(BENCHCTL_PLUGIN_DIR)
    set(installed "${BENCHCTL_PLUGIN_DIR}")
  endif()
  if(NOT arg_OUTPUT_DIRECTORY)
    set(arg_OUTPUT_DIRECTORY "plugins")
    if(BENCHCTL_PLUGIN_DIR)
      set(arg_OUTPUT_DIRECTORY "${BENCHCTL_PLUGIN_DIR}")
    endif()
  elseif(BENCHCTL_PLUGIN_DIR)
    set(installed "${arg_OUTPUT_DIRECTORY}")
  endif()
  set(folder "${CMAKE_BINARY_DIR}/${arg_OUTPUT_DIRECTORY}")
  set(target benchctl_plugin_${name})
  add_library(${target} MODULE ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE benchctl::sdk)
  # Of the tree of benchctl alone: what others are warned of is their choice.
  if(TARGET benchctl_warnings)
    target_link_libraries(${target} PRIVATE benchctl_warnings)
  endif()
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME benchctl_${name} PREFIX lib SUFFIX .so
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF
    LIBRARY_OUTPUT_DIRECTORY "${folder}" INSTALL_RPATH "$ORIGIN/../..")
  install(TARGETS ${target} LIBRARY DESTINATION "${installed}")
  if(NOT arg_KERNELS)
    return()
  endif()
  set(kernel_folder "")
  foreach(kernel IN LISTS arg_KERNELS)
    get_filename_component(file "${kernel}" ABSOLUTE)
    get_filename_component(this_folder "${file}" DIRECTORY)
    if(NOT EXISTS "${file}")
      message(FATAL_ERROR "benchctl_add_plugin(${name}): there is no kernel file ${file}")
    elseif(kernel_folder AND NOT this_folder STREQUAL kernel_folder)
      message(FATAL_ERROR "benchctl_add_plugin(${name}): kernel files lie in one folder, these in "
        "${kernel_folder} and ${this_folder}")
    endif()
    set(kernel_folder "${this_folder}")
  endforeach()
  file(MAKE_DIRECTORY "${folder}/kernels")
  file(CREATE_LINK "${kernel_folder}" "${folder}/kernels/${name}" SYMBOLIC)
  install(FILES ${arg_KERNELS} DESTINATION "${installed}/kernels/${name}")
endfunction()
