// Preloaded under Valgrind, because a Swift server fails under its version 3.19:
// - Valgrind writes to the mask of sigsuspend, which libdispatch keeps in read-only memory; this one ignores the mask;
// - Valgrind does not know epoll_pwait2; this one calls epoll_pwait, in whole milliseconds.
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
    (void)mask;
    return pause();
}

int epoll_pwait2(int epoll, struct epoll_event *events, int count, const struct timespec *timeout,
                 const sigset_t *mask) {
    long wait = timeout ? (long)timeout->tv_sec * 1000 + (timeout->tv_nsec + 999999) / 1000000 : -1;
    return epoll_pwait(epoll, events, count, wait > 60000 ? 60000 : (int)wait, mask);
}
