# The target benchctl_revision: one small source that tells the Git revision. It is looked at in every build and
# written only when the revision is another, so that a commit compiles one file and links the program.
set(revision_source "${CMAKE_BINARY_DIR}/generated/revision.cpp")
add_custom_target(benchctl_write_revision BYPRODUCTS "${revision_source}" VERBATIM
  COMMAND "${CMAKE_COMMAND}" -D "TREE=${CMAKE_SOURCE_DIR}" -D "SOURCE=${revision_source}"
    -P "${CMAKE_SOURCE_DIR}/cmake/WriteRevision.cmake" COMMENT "Looking at the Git revision")
add_library(benchctl_revision OBJECT "${revision_source}")
add_dependencies(benchctl_revision benchctl_write_revision)
