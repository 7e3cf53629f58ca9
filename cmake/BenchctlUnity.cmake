# Compiles many small sources as few large ones: headers are read and templates instantiated once a group, which
# halves the time of a build. BENCHCTL_UNITY=OFF compiles every file alone; tools/lint does, since that finds a missing
# include or a shadowed name.
option(BENCHCTL_UNITY "Compile sources in groups" ON)

# benchctl_unity(TARGET [GROUP n] [EXCEPT regex])
#
# Puts the sources of TARGET into groups of files of one folder, n (default 10) in each. Files whose path matches the
# regular expression, and those with compile options of their own, stay alone. Within a folder the names in anonymous
# namespaces have to differ: the compiler says so where two are the same.
function(benchctl_unity target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "GROUP;EXCEPT" "")
  if(NOT BENCHCTL_UNITY)
    return()
  endif()
  if(NOT arg_GROUP)
    set(arg_GROUP 10)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  if(arg_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "${arg_EXCEPT}")
  endif()
  foreach(source IN LISTS sources)
    get_filename_component(folder "${source}" DIRECTORY)
    file(RELATIVE_PATH folder "${CMAKE_SOURCE_DIR}" "${folder}")
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    if(NOT DEFINED count_${folder})
      set(count_${folder} 0)
    endif()
    math(EXPR group "${count_${folder}} / ${arg_GROUP}")
    math(EXPR count_${folder} "${count_${folder}} + 1")
    set_property(SOURCE "${source}" PROPERTY UNITY_GROUP "${folder}_${group}")
  endforeach()
endfunction()
