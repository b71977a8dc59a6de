// Moves the wall clock of a process by as many seconds as a file says, for tests; preloaded.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long long moved(void) {
    static __thread int is_busy;
    long long seconds = 0;
    const char *path = getenv("WALL_CLOCK_FILE");
    if (is_busy || !path) return 0;
    is_busy = 1;
    FILE *file = fopen(path, "r");
    if (file) {
        if (fscanf(file, "%lld", &seconds) != 1) seconds = 0;
        fclose(file);
    }
    is_busy = 0;
    return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*original)(clockid_t, struct timespec *);
    if (!original) original = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = original(clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += moved();
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    static int (*original)(struct timeval *restrict, void *restrict);
    if (!original) {
        original = (int (*)(struct timeval *restrict, void *restrict))dlsym(RTLD_NEXT, "gettimeofday");
    }
    int result = original(time, zone);
    if (result == 0) time->tv_sec += moved();
    return result;
}
