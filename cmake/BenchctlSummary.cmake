# What is built and what was left out, with the reason, at the end of the configure step.
# Parts report themselves: benchctl_report(built "plugin cuda" "CUDA 13.0") or
# benchctl_report(left_out "plugin cuda" "no cuda.h: install the CUDA Toolkit").
function(benchctl_report state part detail)
  set_property(GLOBAL APPEND PROPERTY BENCHCTL_REPORT "${state}|${part}|${detail}")
endfunction()

# Plugins that were left out are also listed in left_out.txt beside the others (`name|reason`), so that
# a config that asks for one is told why it is not there.
function(benchctl_print_summary)
  get_property(rows GLOBAL PROPERTY BENCHCTL_REPORT)
  set(left_out "")
  foreach(row IN LISTS rows)
    if(row MATCHES "^left_out\\|plugin ([a-z0-9_]+)\\|(.*)$")
      string(APPEND left_out "${CMAKE_MATCH_1}|left out of this build: ${CMAKE_MATCH_2}\n")
    endif()
  endforeach()
  file(WRITE "${CMAKE_BINARY_DIR}/${BENCHCTL_PLUGIN_DIR}/left_out.txt" "${left_out}")
  install(FILES "${CMAKE_BINARY_DIR}/${BENCHCTL_PLUGIN_DIR}/left_out.txt" DESTINATION "${BENCHCTL_PLUGIN_DIR}")
  message(STATUS "benchctl ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}:")
  foreach(row IN LISTS rows)
    string(REPLACE "|" ";" fields "${row}")
    list(GET fields 0 state)
    list(GET fields 1 part)
    list(GET fields 2 detail)
    if(state STREQUAL "built")
      message(STATUS "  built     ${part}: ${detail}")
    else()
      message(STATUS "  LEFT OUT  ${part}: ${detail}")
    endif()
  endforeach()
endfunction()
