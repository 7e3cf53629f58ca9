# benchctl_bundle_library(libx.so.1)
#
# Says that a library is opened at run time, by that name, and may be missing on other machines: a bundle
# carries it in lib/, where programs and plugins find it along their run path.
function(benchctl_bundle_library name)
  set_property(GLOBAL APPEND PROPERTY BENCHCTL_BUNDLED_LIBRARIES "${name}")
endfunction()
