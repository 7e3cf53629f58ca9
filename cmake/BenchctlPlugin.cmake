# benchctl_add_plugin(NAME SOURCES file… [KERNELS file…])
#
# Builds lib/benchctl/plugins/libbenchctl_NAME.so against the SDK alone and makes its kernel files
# available in kernels/NAME beside it (a link in the build tree, so that a debugger shows the file one
# edits; copies when installed). Link further libraries to the target benchctl_plugin_NAME.
function(benchctl_add_plugin name)
  cmake_parse_arguments(arg "" "OUTPUT_DIRECTORY" "SOURCES;KERNELS" ${ARGN})
  if(NOT arg_OUTPUT_DIRECTORY)
    set(arg_OUTPUT_DIRECTORY "${BENCHCTL_PLUGIN_DIR}")
  endif()
  set(target benchctl_plugin_${name})
  add_library(${target} MODULE ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE benchctl::sdk)
  if(TARGET benchctl_warnings)
    target_link_libraries(${target} PRIVATE benchctl_warnings)
  endif()
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME benchctl_${name} PREFIX lib
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${arg_OUTPUT_DIRECTORY}"
    INSTALL_RPATH "$ORIGIN/../..")
  install(TARGETS ${target} LIBRARY DESTINATION "${arg_OUTPUT_DIRECTORY}")
  if(arg_KERNELS)
    file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/${arg_OUTPUT_DIRECTORY}/kernels")
    file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}/kernels"
      "${CMAKE_BINARY_DIR}/${arg_OUTPUT_DIRECTORY}/kernels/${name}" SYMBOLIC)
    install(FILES ${arg_KERNELS} DESTINATION "${arg_OUTPUT_DIRECTORY}/kernels/${name}")
  endif()
endfunction()

# benchctl_bundle_library(libx.so.1)
#
# Says that a library is opened at run time, by that name, and may be missing on other machines: a bundle
# carries it in lib/, where programs and plugins find it along their run path.
function(benchctl_bundle_library name)
  set_property(GLOBAL APPEND PROPERTY BENCHCTL_BUNDLED_LIBRARIES "${name}")
endfunction()
