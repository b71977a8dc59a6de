// The parts of Linux that Swift's Glibc module leaves out.
#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

// As sys/random.h has it, which would also make this module the home of struct timespec, away from Swift's Glibc.
extern ssize_t getrandom(void *bytes, size_t size, unsigned int flags);

// prctl is variadic, so Swift cannot call it.
static inline int clinux_name_this_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }
