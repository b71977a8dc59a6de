// A preloaded library for tests: it moves the wall clock of a process by the seconds in the file WALL_CLOCK_FILE.
//
// The kernel's clock does not move, so deadlines by the wall clock are converted to the kernel's time.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
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

// The kernel's time when the moved clock shows `until`. A small value is a time of another clock, which counts from the
// start of the machine, and stays as it is.
static struct timespec of_kernel(const struct timespec *until) {
    struct timespec time = *until;
    if (time.tv_sec > 500000000) time.tv_sec -= moved();
    return time;
}

// `dlsym` may find the oldest version of a symbol, which expects another structure.
static void *versioned(const char *name) {
    void *symbol = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
    return symbol ? symbol : dlsym(RTLD_NEXT, name);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
    static int (*original)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    if (!original) {
        original = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))versioned(
            "pthread_cond_timedwait");
    }
    struct timespec time = of_kernel(until);
    return original(condition, mutex, &time);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
    static int (*original)(sem_t *, const struct timespec *);
    if (!original) original = (int (*)(sem_t *, const struct timespec *))dlsym(RTLD_NEXT, "sem_timedwait");
    struct timespec time = of_kernel(until);
    return original(semaphore, &time);
}
