// Simulates a disk that loses what was not synchronized, for one process (LD_PRELOAD).
//
// DISK_FILE is a database. Writes to it and to its log (-wal) go to the files, which stand for the kernel's page cache.
// fsync and fdatasync copy the writes since the last one to files of the same names in DISK_PLATTER. So after kill -9 the
// platter has what surely survives a power cut, and the files have what may survive.
// BOOT_ID names the file that is read instead of the kernel's boot id, so that the next process runs in another boot.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 2, DESCRIPTORS = 4096, RANGES = 65536 };

static const char *const suffixes[FILES] = {"", "-wal"};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
// The number of the file that a descriptor is of, and one more; 0 for any other.
static char files[DESCRIPTORS];
// What was written since the last synchronization. When there is no room, all of the file counts as written.
static struct { off_t start, end; } ranges[FILES][RANGES];
static int counts[FILES];

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int number_of(const char *path) {
    const char *base = getenv("DISK_FILE");
    for (int i = 0; base && i < FILES; i++) {
        size_t length = strlen(base);
        if (strncmp(path, base, length) == 0 && strcmp(path + length, suffixes[i]) == 0) return i + 1;
    }
    return 0;
}

static const char *redirected(const char *path) {
    const char *boot = getenv("BOOT_ID");
    return boot && strcmp(path, "/proc/sys/kernel/random/boot_id") == 0 ? boot : path;
}

static void note(int file, off_t start, off_t end) {
    if (counts[file] == RANGES) {
        ranges[file][0].start = 0;
        ranges[file][0].end = (off_t)1 << 40;
        counts[file] = 1;
    }
    ranges[file][counts[file]].start = start;
    ranges[file][counts[file]].end = end;
    counts[file]++;
}

static int opened(int descriptor, const char *path) {
    if (descriptor >= 0 && descriptor < DESCRIPTORS) files[descriptor] = (char)number_of(path);
    return descriptor;
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return opened(REAL(open)(redirected(path), flags, mode), path);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return opened(REAL(open64)(redirected(path), flags, mode), path);
}

int close(int descriptor) {
    if (descriptor >= 0 && descriptor < DESCRIPTORS) files[descriptor] = 0;
    return REAL(close)(descriptor);
}

static int file_of(int descriptor) {
    return descriptor >= 0 && descriptor < DESCRIPTORS ? files[descriptor] - 1 : -1;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    int file = file_of(descriptor);
    if (file < 0) return REAL(pwrite64)(descriptor, bytes, count, offset);
    pthread_mutex_lock(&mutex);
    ssize_t written = REAL(pwrite64)(descriptor, bytes, count, offset);
    if (written > 0) note(file, offset, offset + written);
    pthread_mutex_unlock(&mutex);
    return written;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite64(descriptor, bytes, count, offset);
}

static int synchronize(int file) {
    char path[4096], buffer[65536];
    snprintf(path, sizeof path, "%s%s", getenv("DISK_FILE"), suffixes[file]);
    int from = REAL(open)(path, O_RDONLY | O_CLOEXEC);
    snprintf(path, sizeof path, "%s/toastd.db%s", getenv("DISK_PLATTER"), suffixes[file]);
    int to = REAL(open)(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    struct stat status;
    int failed = from < 0 || to < 0 || fstat(from, &status) || ftruncate(to, status.st_size);
    for (int i = 0; i < counts[file] && !failed; i++) {
        off_t at = ranges[file][i].start;
        off_t end = ranges[file][i].end < status.st_size ? ranges[file][i].end : status.st_size;
        while (at < end && !failed) {
            size_t count = end - at < (off_t)sizeof buffer ? (size_t)(end - at) : sizeof buffer;
            ssize_t got = pread(from, buffer, count, at);
            failed = got <= 0 || REAL(pwrite64)(to, buffer, (size_t)got, at) != got;
            at += got;
        }
    }
    counts[file] = 0;
    // Not ours: these are not of the database.
    if (from >= 0) REAL(close)(from);
    if (to >= 0) REAL(close)(to);
    if (failed) errno = EIO;
    return failed ? -1 : 0;
}

int fdatasync(int descriptor) {
    int file = file_of(descriptor);
    if (file < 0) return REAL(fdatasync)(descriptor);
    pthread_mutex_lock(&mutex);
    int result = synchronize(file);
    pthread_mutex_unlock(&mutex);
    return result;
}

int fsync(int descriptor) { return file_of(descriptor) < 0 ? REAL(fsync)(descriptor) : fdatasync(descriptor); }
