# The build tree has the layout of the installed tree, so that the program finds its plugins, kernels
# and configs by the same relative paths in both.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(BENCHCTL_PLUGIN_DIR "lib/benchctl/plugins")
set(BENCHCTL_CONFIG_DIR "share/benchctl/configs")
set(BENCHCTL_TEST_DIR "libexec/benchctl/tests")

file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/share/benchctl")
set(BENCHCTL_CASES_DIR "share/benchctl/conformance")
set(BENCHCTL_MAN_DIR "share/man/man1")
set(BENCHCTL_SCAFFOLD_DIR "share/benchctl/scaffold")
file(CREATE_LINK "${CMAKE_SOURCE_DIR}/configs" "${CMAKE_BINARY_DIR}/${BENCHCTL_CONFIG_DIR}" SYMBOLIC)
file(CREATE_LINK "${CMAKE_SOURCE_DIR}/core/conformance/cases" "${CMAKE_BINARY_DIR}/${BENCHCTL_CASES_DIR}" SYMBOLIC)
file(CREATE_LINK "${CMAKE_SOURCE_DIR}/core/cli/scaffold" "${CMAKE_BINARY_DIR}/${BENCHCTL_SCAFFOLD_DIR}" SYMBOLIC)
set(BENCHCTL_PYTHON_DIR "lib/python3/dist-packages")  # where Debian's Python looks, under /usr
set(BENCHCTL_EXAMPLES ci divergence exercises how_not_to_time kernels ladder python user_kernels rank_kernels.py t1_to_config.py)
file(CREATE_LINK "${CMAKE_SOURCE_DIR}/share/known_cards.json" "${CMAKE_BINARY_DIR}/share/benchctl/known_cards.json" SYMBOLIC)
file(CREATE_LINK "${CMAKE_SOURCE_DIR}/share/tunings" "${CMAKE_BINARY_DIR}/share/benchctl/tunings" SYMBOLIC)
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/share/benchctl/examples")
foreach(example ${BENCHCTL_EXAMPLES})
  file(CREATE_LINK "${CMAKE_SOURCE_DIR}/examples/${example}" "${CMAKE_BINARY_DIR}/share/benchctl/examples/${example}"
    SYMBOLIC)
endforeach()

# RPATH instead of RUNPATH: it also holds for what a bundled library needs in turn, and a library path left in
# the environment cannot put another build's libraries before the bundle's.
add_link_options(LINKER:--disable-new-dtags)

# benchctl_add_plugin_parts(NAME file…): the plain logic of a plugin, without any driver's header, as the object library
# benchctl_NAME_parts. The plugin and its tests link the same objects.
function(benchctl_add_plugin_parts name)
  add_library(benchctl_${name}_parts OBJECT EXCLUDE_FROM_ALL ${ARGN})
  target_include_directories(benchctl_${name}_parts PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}" "${CMAKE_SOURCE_DIR}/plugins")
  target_link_libraries(benchctl_${name}_parts PRIVATE benchctl_sdk benchctl_xxhash benchctl_warnings)
endfunction()
