/*
 * Records the disk operations of a process, and injects faults (LD_PRELOAD).
 *
 * Operations on files in DISK_FOLDER and writes to standard output are appended in order to DISK_JOURNAL: a
 * header of five 64-bit numbers (kind, file, offset, length, size of data) and the data. A sync is recorded
 * after it has succeeded, so the parent can reconstruct the files after a power loss at any instant. While the
 * file DISK_FAULT exists, writes to files in DISK_FOLDER and syncs of them fail with EIO.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { OPEN = 1, WRITE, TRUNCATE, SYNC, UNLINK, OUTPUT, RENAME };
enum { DESCRIPTORS = 4096 };

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int64_t files[DESCRIPTORS]; /* number of the recorded file behind a descriptor, 0 for none */
static int64_t opened = 0;
static int journal = -1;

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("DISK_JOURNAL");
  if (path) journal = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static void put(const void *bytes, size_t size) {
  for (const char *at = bytes; size > 0;) {
    ssize_t done = syscall(SYS_write, journal, at, size);
    if (done <= 0) abort();
    at += done;
    size -= done;
  }
}

static void record(int64_t kind, int64_t file, int64_t offset, int64_t length, const void *data, int64_t size) {
  if (journal < 0) return;
  int64_t header[5] = {kind, file, offset, length, size};
  int before = errno;
  put(header, sizeof header);
  put(data, size);
  errno = before;
}

static int inside(const char *path) {
  const char *folder = getenv("DISK_FOLDER");
  return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static int64_t recorded(int fd) {
  return fd >= 0 && fd < DESCRIPTORS ? files[fd] : 0;
}

static int broken(int fd) {
  const char *fault = getenv("DISK_FAULT");
  if (!fault || !recorded(fd) || syscall(SYS_faccessat, AT_FDCWD, fault, F_OK) != 0) return 0;
  errno = EIO;
  return 1;
}

static int open_file(const char *path, int flags, mode_t mode) {
  pthread_mutex_lock(&lock);
  int fd = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  if (fd >= 0 && fd < DESCRIPTORS) files[fd] = 0;
  if (fd >= 0 && fd < DESCRIPTORS && inside(path) && !(flags & O_DIRECTORY)) {
    files[fd] = ++opened;
    record(OPEN, files[fd], 0, 0, path, strlen(path));
  }
  pthread_mutex_unlock(&lock);
  return fd;
}

#define OPENER(name)                                  \
  int name(const char *path, int flags, ...) {        \
    va_list more;                                     \
    va_start(more, flags);                            \
    mode_t mode = flags & O_CREAT ? va_arg(more, int) : 0; \
    va_end(more);                                     \
    return open_file(path, flags, mode);              \
  }
OPENER(open)
OPENER(open64)

static ssize_t write_at(int fd, const void *data, size_t size, off_t offset, int placed) {
  if (broken(fd)) return -1;
  pthread_mutex_lock(&lock);
  off_t at = placed ? offset : lseek(fd, 0, SEEK_CUR);
  ssize_t done = placed ? syscall(SYS_pwrite64, fd, data, size, offset) : syscall(SYS_write, fd, data, size);
  if (done > 0 && recorded(fd)) record(WRITE, files[fd], at, done, data, done);
  if (done > 0 && fd == 1) record(OUTPUT, 0, 0, 0, data, done);
  pthread_mutex_unlock(&lock);
  return done;
}

ssize_t write(int fd, const void *data, size_t size) { return write_at(fd, data, size, 0, 0); }
ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) { return write_at(fd, data, size, offset, 1); }
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) { return write_at(fd, data, size, offset, 1); }

static int change(int fd, long call, int64_t kind, int64_t length) {
  if (broken(fd)) return -1;
  pthread_mutex_lock(&lock);
  int failed = syscall(call, fd, length);
  if (!failed && recorded(fd)) record(kind, files[fd], 0, length, "", 0);
  pthread_mutex_unlock(&lock);
  return failed;
}

int fsync(int fd) { return change(fd, SYS_fsync, SYNC, 0); }
int fdatasync(int fd) { return change(fd, SYS_fdatasync, SYNC, 0); }
int ftruncate(int fd, off_t length) { return change(fd, SYS_ftruncate, TRUNCATE, length); }
int ftruncate64(int fd, off64_t length) { return change(fd, SYS_ftruncate, TRUNCATE, length); }

int unlink(const char *path) {
  pthread_mutex_lock(&lock);
  int failed = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  if (!failed && inside(path)) record(UNLINK, 0, 0, 0, path, strlen(path));
  pthread_mutex_unlock(&lock);
  return failed;
}

/* The names as data, one after the other; the offset is where the second one begins. */
int rename(const char *from, const char *to) {
  size_t first = strlen(from), second = strlen(to);
  char *names = malloc(first + second);
  pthread_mutex_lock(&lock);
  int failed = syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  if (!failed && names && inside(from)) {
    memcpy(names, from, first);
    memcpy(names + first, to, second);
    record(RENAME, 0, first, 0, names, first + second);
  }
  pthread_mutex_unlock(&lock);
  free(names);
  return failed;
}
