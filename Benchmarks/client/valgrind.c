// Preloaded where Valgrind 3.19 would fail a Swift server:
// - it writes to the mask of sigsuspend, which libdispatch keeps in read-only memory: waiting here needs no mask;
// - it does not know epoll_pwait2: epoll_pwait does the same in whole milliseconds.
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
