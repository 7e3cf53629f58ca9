# What CPack makes (tools/bundle calls it):
#   cpack            the bundle and its tests: two archives of one folder, the second to be unpacked over the first
#   cpack -G DEB     the Debian package, without tests and without the libraries that other packages have
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME benchctl)
set(CPACK_PACKAGE_VENDOR "the benchctl authors")
set(CPACK_PACKAGE_CONTACT "the benchctl authors <benchctl@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_SOURCE_DIR}/dist")
set(CPACK_PACKAGE_FILE_NAME "benchctl-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
# Whatever the umask here: plugins in a folder that everybody may write to are refused.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)

set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL program sdk bundled_libraries)
if(BENCHCTL_TESTS)
  list(APPEND CPACK_COMPONENTS_ALL tests)
endif()
foreach(component IN ITEMS program sdk bundled_libraries)
  string(TOUPPER "${component}" COMPONENT)
  set(CPACK_COMPONENT_${COMPONENT}_GROUP bundle)
endforeach()
set(CPACK_COMPONENT_TESTS_GROUP tests)
set(CPACK_ARCHIVE_BUNDLE_FILE_NAME "${CPACK_PACKAGE_FILE_NAME}")
set(CPACK_ARCHIVE_TESTS_FILE_NAME "${CPACK_PACKAGE_FILE_NAME}-tests")

# What the program links is asked of dpkg-shlibdeps; the rest is opened at run time.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libopenblas0-pthread | libopenblas0")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "pocl-opencl-icd, libclblast1")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3 (>= 3.11), python3-numpy, python3-pandas, python3-matplotlib")
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "The same computation on a CPU, on every OpenCL device and on every CUDA GPU,
described in one TOML file, verified against a float64 reference, with every raw sample kept.
.
`benchctl list --configs` lists what can be run at once, `benchctl --help` the commands.")
set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_SOURCE_DIR}/cmake/PackageOfDebian.cmake")
include(CPack)
