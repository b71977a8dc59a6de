// The parts of Linux that Swift's Glibc module leaves out.
#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

// Declared here, because with sys/random.h this module would define struct timespec in place of Swift's Glibc.
extern ssize_t getrandom(void *bytes, size_t size, unsigned int flags);

// prctl is variadic, so Swift cannot call it.
static inline int clinux_name_this_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

// The constant needs _GNU_SOURCE, and <sched.h> would define struct sched_param here in place of Swift's Glibc.
enum { CLINUX_SCHED_BATCH = 3 };
