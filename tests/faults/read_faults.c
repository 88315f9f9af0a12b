// For LD_PRELOAD, with glibc: makes one call of the system fail that reads or writes a chosen file, as a bad disk or a full one would.
//
// DP2TRACE_FAULT_PATH   part of the name of the file
// DP2TRACE_FAULT_KIND   read: fread, read, pread; write: fwrite, write, pwrite, fflush, fsync, fdatasync, fclose, close, rename
// DP2TRACE_FAULT_AT     which of these calls fails, from 1; those of child processes count, too
// DP2TRACE_FAULT_ERROR  errno then (EIO)
// DP2TRACE_FAULT_MARK   a file that gets a byte when the call failed
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

static const char* path_part;
static int fails_reads;
static long fail_at;
static int fail_error = EIO;
static int mark = -1;
static long* calls;  // shared with child processes

__attribute__((constructor)) static void Start(void) {
  path_part = getenv("DP2TRACE_FAULT_PATH");
  const char* const kind = getenv("DP2TRACE_FAULT_KIND");
  const char* const at = getenv("DP2TRACE_FAULT_AT");
  const char* const error = getenv("DP2TRACE_FAULT_ERROR");
  const char* const mark_path = getenv("DP2TRACE_FAULT_MARK");
  if (path_part == NULL || kind == NULL || at == NULL || mark_path == NULL) return;
  void* const shared =
      mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return;
  calls = shared;
  fails_reads = strcmp(kind, "read") == 0;
  fail_at = atol(at);
  if (error != NULL) fail_error = atoi(error);
  mark = open(mark_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

#define REAL(name)               \
  static __typeof__(&name) real; \
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, #name)

// Whether this call on the path fails.
static int FailsPath(int reads, const char* path) {
  if (calls == NULL || reads != fails_reads || strstr(path, path_part) == NULL) return 0;
  if (__sync_add_and_fetch(calls, 1) != fail_at) return 0;
  REAL(write);
  if (real(mark, "x", 1) != 1) abort();
  errno = fail_error;
  return 1;
}

static int Fails(int reads, int file) {
  char link[64];
  char path[4096];
  if (calls == NULL || file < 0 || file == mark) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) return 0;
  path[size] = '\0';
  return FailsPath(reads, path);
}

ssize_t read(int file, void* to, size_t size) {
  REAL(read);
  return Fails(1, file) ? -1 : real(file, to, size);
}

ssize_t pread(int file, void* to, size_t size, off_t at) {
  REAL(pread);
  return Fails(1, file) ? -1 : real(file, to, size, at);
}

size_t fread(void* to, size_t size, size_t count, FILE* file) {
  REAL(fread);
  if (!Fails(1, fileno(file))) return real(to, size, count, file);
  file->_flags |= 0x20;  // what ferror() asks for
  return 0;
}

ssize_t write(int file, const void* from, size_t size) {
  REAL(write);
  return Fails(0, file) ? -1 : real(file, from, size);
}

ssize_t pwrite(int file, const void* from, size_t size, off_t at) {
  REAL(pwrite);
  return Fails(0, file) ? -1 : real(file, from, size, at);
}

size_t fwrite(const void* from, size_t size, size_t count, FILE* file) {
  REAL(fwrite);
  if (!Fails(0, fileno(file))) return real(from, size, count, file);
  file->_flags |= 0x20;
  return 0;
}

int fflush(FILE* file) {
  REAL(fflush);
  return file != NULL && Fails(0, fileno(file)) ? EOF : real(file);
}

int fsync(int file) {
  REAL(fsync);
  return Fails(0, file) ? -1 : real(file);
}

int fdatasync(int file) {
  REAL(fdatasync);
  return Fails(0, file) ? -1 : real(file);
}

// Nothing is lost where a file was only read.
static int FailsToClose(int file) {
  const int flags = fcntl(file, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && Fails(0, file);
}

// A file is closed, whatever is said about it.
int fclose(FILE* file) {
  REAL(fclose);
  const int fails = FailsToClose(fileno(file));
  const int result = real(file);
  if (fails) errno = fail_error;
  return fails ? EOF : result;
}

int close(int file) {
  REAL(close);
  const int fails = FailsToClose(file);
  const int result = real(file);
  if (fails) errno = fail_error;
  return fails ? -1 : result;
}

int rename(const char* from, const char* to) {
  REAL(rename);
  return FailsPath(0, to) ? -1 : real(from, to);
}
