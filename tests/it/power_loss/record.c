// Loaded into the program (LD_PRELOAD): appends to POWER_LOG what it writes to the database POWER_DATABASE, its log and its journal, in
// order, and what it flushes. While the file POWER_FULL exists, these writes fail as on a full disk.
//
// A record is 24 bytes (kind, file, 6 unused bytes, offset, length) and the data.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static const char *database, *full;
static char folder[PATH_MAX];
static int recording = -1;

__attribute__((constructor)) static void begin(void) {
    database = getenv("POWER_DATABASE");
    full = getenv("POWER_FULL");
    snprintf(folder, sizeof folder, "%s", database);
    *strrchr(folder, '/') = 0;
    recording = open(getenv("POWER_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

// 0 the database, 1 its log, 2 its journal, 3 their folder; -1 anything else.
static int watched_path(const char *path) {
    if (!database) return -1;
    size_t length = strlen(database);
    if (!strcmp(path, folder)) return 3;
    if (strncmp(path, database, length)) return -1;
    if (!strcmp(path + length, "")) return 0;
    if (!strcmp(path + length, "-wal")) return 1;
    if (!strcmp(path + length, "-journal")) return 2;
    return -1;
}

static int watched(int fd) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return -1;
    path[length] = 0;
    return watched_path(path);
}

static void record(char kind, int file, uint64_t offset, const void *data, uint64_t length) {
    struct {
        char kind, file, unused[6];
        uint64_t offset, length;
    } head = {kind, (char)file, {0}, offset, length};
    struct iovec parts[2] = {{&head, sizeof head}, {(void *)data, length}};
    if (syscall(SYS_writev, recording, parts, 2) != (ssize_t)(sizeof head + length)) abort();
}

static int is_full(void) {
    return access(full, F_OK) == 0;
}

static ssize_t put(int fd, int file, const void *data, size_t length, off64_t offset) {
    if (is_full()) {
        errno = ENOSPC;
        return -1;
    }
    pthread_mutex_lock(&turn);
    ssize_t written = syscall(SYS_pwrite64, fd, data, length, offset);
    if (written > 0) record('w', file, offset, data, written);
    pthread_mutex_unlock(&turn);
    return written;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
    int file = watched(fd);
    return file < 0 ? syscall(SYS_pwrite64, fd, data, length, offset) : put(fd, file, data, length, offset);
}

ssize_t write(int fd, const void *data, size_t length) {
    int file = watched(fd);
    if (file < 0) return syscall(SYS_write, fd, data, length);
    off64_t offset = lseek64(fd, 0, SEEK_CUR);
    ssize_t written = put(fd, file, data, length, offset);
    if (written > 0) lseek64(fd, offset + written, SEEK_SET);
    return written;
}

int ftruncate64(int fd, off64_t length) {
    int file = watched(fd);
    if (file < 0) return syscall(SYS_ftruncate, fd, length);
    pthread_mutex_lock(&turn);
    int result = syscall(SYS_ftruncate, fd, length);
    if (!result) record('t', file, length, "", 0);
    pthread_mutex_unlock(&turn);
    return result;
}

static int flush(int fd, long call) {
    int file = watched(fd);
    if (file < 0) return syscall(call, fd);
    pthread_mutex_lock(&turn);
    int result = syscall(call, fd);
    if (!result) record('s', file, 0, "", 0);
    pthread_mutex_unlock(&turn);
    return result;
}

int fsync(int fd) {
    return flush(fd, SYS_fsync);
}

int fdatasync(int fd) {
    return flush(fd, SYS_fdatasync);
}
