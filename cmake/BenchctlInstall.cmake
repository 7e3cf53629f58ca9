# What `cmake --install` and CPack put where. The installed tree has the layout of the build tree and is
# relocatable: programs and plugins find everything by paths relative to themselves.
install(DIRECTORY "${CMAKE_SOURCE_DIR}/configs/" DESTINATION "${BENCHCTL_CONFIG_DIR}" FILES_MATCHING PATTERN "*.toml")
install(DIRECTORY "${CMAKE_SOURCE_DIR}/core/conformance/cases/" DESTINATION "${BENCHCTL_CASES_DIR}" COMPONENT program)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/core/cli/scaffold/" DESTINATION "${BENCHCTL_SCAFFOLD_DIR}" COMPONENT program)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/core/sdk/include/" DESTINATION include COMPONENT sdk
  FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY "${CMAKE_SOURCE_DIR}/examples/user_kernels" DESTINATION share/benchctl/examples COMPONENT program)
install(FILES "${CMAKE_SOURCE_DIR}/LICENSE" "${CMAKE_SOURCE_DIR}/README.md" DESTINATION share/doc/benchctl)
if(BENCHCTL_TESTS)
  install(PROGRAMS "${CMAKE_SOURCE_DIR}/tests/support/run_all" DESTINATION "${BENCHCTL_TEST_DIR}")
endif()

# The bundle adds the libraries that not every machine has, beside the program. `cmake --install` leaves them
# out, since it installs onto the machine that has them.
get_property(BENCHCTL_BUNDLED_LIBRARIES GLOBAL PROPERTY BENCHCTL_BUNDLED_LIBRARIES)
list(REMOVE_DUPLICATES BENCHCTL_BUNDLED_LIBRARIES)
configure_file("${CMAKE_SOURCE_DIR}/cmake/BundleLibraries.cmake.in" "${CMAKE_BINARY_DIR}/BundleLibraries.cmake" @ONLY)
install(SCRIPT "${CMAKE_BINARY_DIR}/BundleLibraries.cmake" COMPONENT bundled_libraries EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME benchctl)
set(CPACK_PACKAGE_VENDOR "the benchctl authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_FILE_NAME "benchctl-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_SOURCE_DIR}/dist")
set(CPACK_STRIP_FILES ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
set(CPACK_COMPONENTS_ALL Unspecified program sdk bundled_libraries)
set(CPACK_THREADS 0)
include(CPack)
