# What `cmake --install` puts where. The installed tree has the layout of the build tree and is relocatable:
# programs and plugins find everything by paths relative to themselves. Components: program, sdk, tests, and for
# the bundle bundled_libraries.
install(DIRECTORY "${CMAKE_SOURCE_DIR}/configs/" DESTINATION "${BENCHCTL_CONFIG_DIR}" FILES_MATCHING PATTERN "*.toml")
install(DIRECTORY "${CMAKE_SOURCE_DIR}/core/conformance/cases/" DESTINATION "${BENCHCTL_CASES_DIR}")
install(DIRECTORY "${CMAKE_SOURCE_DIR}/core/cli/scaffold/" DESTINATION "${BENCHCTL_SCAFFOLD_DIR}")
install(DIRECTORY "${CMAKE_SOURCE_DIR}/core/sdk/include/" DESTINATION include COMPONENT sdk
  FILES_MATCHING PATTERN "*.hpp")
install(FILES "${CMAKE_SOURCE_DIR}/share/known_cards.json" DESTINATION share/benchctl)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/share/tunings/" DESTINATION share/benchctl/tunings)
list(TRANSFORM BENCHCTL_EXAMPLES PREPEND "${CMAKE_SOURCE_DIR}/examples/" OUTPUT_VARIABLE example_folders)
list(FILTER example_folders EXCLUDE REGEX "\\.py$")
install(DIRECTORY ${example_folders} DESTINATION share/benchctl/examples USE_SOURCE_PERMISSIONS
  PATTERN "ci/test" EXCLUDE)
install(PROGRAMS "${CMAKE_SOURCE_DIR}/examples/rank_kernels.py" "${CMAKE_SOURCE_DIR}/examples/t1_to_config.py" DESTINATION share/benchctl/examples)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/python/benchctl" DESTINATION "${BENCHCTL_PYTHON_DIR}"
  FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN __pycache__ EXCLUDE)
if(BENCHCTL_TESTS)
  install(PROGRAMS "${CMAKE_SOURCE_DIR}/tests/support/run_all" DESTINATION "${BENCHCTL_TEST_DIR}" COMPONENT tests)
endif()

# The documents, beside one another as in the source tree, so that their links work. Results stay out, but for what
# README.md itself links.
set(doc_folder "share/doc/benchctl")
install(FILES LICENSE README.md CONTRIBUTING.md CHANGELOG.md DESTINATION "${doc_folder}")
install(DIRECTORY docs/ DESTINATION "${doc_folder}/docs" FILES_MATCHING PATTERN "*.md" PATTERN "*.svg"
  PATTERN results EXCLUDE)
file(STRINGS README.md linked_results REGEX "\\(docs/results/")
string(REGEX MATCHALL "\\(docs/results/[^)#]+" linked_results "${linked_results}")
list(REMOVE_DUPLICATES linked_results)
foreach(link IN LISTS linked_results)
  string(SUBSTRING "${link}" 1 -1 file)
  get_filename_component(folder "${file}" DIRECTORY)
  install(FILES "${file}" DESTINATION "${doc_folder}/${folder}")
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS README.md)

# Code of these is inside our own binaries (static libraries, headers): their licences travel with them.
set(compiled_in boost/version.hpp fmt/format.h nlohmann/json.hpp CLI/CLI.hpp SQLiteCpp/SQLiteCpp.h sqlite3.h
  toml++/toml.h xxhash.h)
if(BENCHCTL_TESTS)
  list(APPEND compiled_in catch2/catch_test_macros.hpp)
endif()
list(TRANSFORM compiled_in PREPEND "/usr/include/")
install(CODE "include(\"${CMAKE_SOURCE_DIR}/cmake/CopyLicences.cmake\")
copy_licences(\"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${doc_folder}/licenses\" \"${compiled_in}\")" COMPONENT program)

# The bundle adds the libraries that not every machine has, beside the program. `cmake --install` leaves them
# out, since it installs onto the machine that has them.
get_property(BENCHCTL_BUNDLED_LIBRARIES GLOBAL PROPERTY BENCHCTL_BUNDLED_LIBRARIES)
list(REMOVE_DUPLICATES BENCHCTL_BUNDLED_LIBRARIES)
configure_file("${CMAKE_SOURCE_DIR}/cmake/BundleLibraries.cmake.in" "${CMAKE_BINARY_DIR}/BundleLibraries.cmake" @ONLY)
install(SCRIPT "${CMAKE_BINARY_DIR}/BundleLibraries.cmake" COMPONENT bundled_libraries EXCLUDE_FROM_ALL)
include(BenchctlArchives)
