// What LeakSanitizer is not to report: memory that OpenCL drivers and the libraries under them never free.
// Ours is checked: a leak of the plugin has none of these libraries in the frame that allocates.
#ifdef BENCHCTL_SANITIZED
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libpocl.so\nleak:libOpenCL.so\nleak:libLLVM\nleak:libclang-cpp\nleak:libclblast.so\n"
         "leak:libhwloc.so\nleak:libnvidia-opencl.so\n";
}
#endif
