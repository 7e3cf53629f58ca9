// What every program of a build with sanitizers tells them, however it is started; in tests and workers
// alike. Linked into whatever links the core, and empty without sanitizers.

#define BENCHCTL_FOR_SANITIZERS extern "C" __attribute__((visibility("default"), used)) const char*

#ifdef __SANITIZE_ADDRESS__

// intercept_tls_get_addr: LeakSanitizer wants the extent of each thread-local block of an opened library,
// and takes a block that starts 16 bytes into a page for one of glibc 2.19 with a header in front. In a
// newer glibc such a block comes from malloc, the 16 bytes are AddressSanitizer's own, and the leak check
// at the end reads wherever they point and dies ("Tracer caught signal 11"; tests/sanitizer has the small
// program that does it). Without this interception no leak is missed and none invented: whatever the
// dynamic linker has allocated is searched for pointers in any case (LeakSanitizer's use_ld_allocations).
// allocator_may_return_null: memory that cannot be had is refused, as by the system, and does not end the
// program.
BENCHCTL_FOR_SANITIZERS __asan_default_options();
const char* __asan_default_options() { return "intercept_tls_get_addr=0:allocator_may_return_null=1"; }

// Memory that drivers and the libraries under them never free. Ours is checked: a leak of a plugin has none
// of these libraries in the frame that allocates.
BENCHCTL_FOR_SANITIZERS __lsan_default_suppressions();
const char* __lsan_default_suppressions() {
  return "leak:libpocl.so\nleak:libOpenCL.so\nleak:libLLVM\nleak:libclang\nleak:libclblast.so\n"
         "leak:libhwloc.so\nleak:libcuda.so\nleak:libnvidia-opencl.so\nleak:libvulkan\n";
}
BENCHCTL_FOR_SANITIZERS __lsan_default_options();
const char* __lsan_default_options() { return "print_suppressions=0"; }

BENCHCTL_FOR_SANITIZERS __ubsan_default_options();
const char* __ubsan_default_options() { return "print_stacktrace=1"; }

#endif

#ifdef __SANITIZE_THREAD__
BENCHCTL_FOR_SANITIZERS __tsan_default_options();
const char* __tsan_default_options() { return "halt_on_error=1"; }
#endif
