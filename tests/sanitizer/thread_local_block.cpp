// A library with one small thread-local block, which glibc takes from malloc when a thread first touches
// it.
extern "C" __attribute__((visibility("default"))) char** benchctl_thread_local();
extern "C" char** benchctl_thread_local() {
  thread_local char* value = nullptr;
  return &value;
}
