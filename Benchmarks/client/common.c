#define _GNU_SOURCE
#include "common.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

_Noreturn void die(const char *format, ...) {
    int error = errno;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, error ? ": %s\n" : "\n", strerror(error));
    exit(2);
}

uint64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

struct sockaddr_in parse_address(const char *text) {
    char host[64];
    unsigned port;
    struct sockaddr_in address = {.sin_family = AF_INET};
    if (sscanf(text, "%63[0-9.]:%u", host, &port) != 2 || port > 65535 || !inet_aton(host, &address.sin_addr))
        die("not HOST:PORT: %s", text);
    address.sin_port = htons((uint16_t)port);
    return address;
}

int connect_from(size_t index, const struct sockaddr_in *to) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) die("socket");
    int on = 1;
    struct sockaddr_in from = {.sin_family = AF_INET};
    from.sin_addr.s_addr = htonl(INADDR_LOOPBACK + (uint32_t)(index / 8000));
    // The kernel chooses the port at connect, for one destination; bind would reserve a port for all destinations.
    setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (bind(fd, (struct sockaddr *)&from, sizeof from) < 0) die("bind");
    if (connect(fd, (const struct sockaddr *)to, sizeof *to) < 0 && errno != EINPROGRESS) die("connect");
    return fd;
}

void require_descriptors(size_t wanted) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    errno = 0;
    if (wanted + 16 > limit.rlim_cur)
        die("%zu connections do not fit in %llu descriptors: use more processes", wanted,
            (unsigned long long)limit.rlim_cur);
}

size_t fill_in(char *into, size_t capacity, const char *from, unsigned long number) {
    size_t length = 0;
    while (*from && length + 24 < capacity) {
        if (strncmp(from, "{n}", 3) == 0) {
            length += (size_t)sprintf(into + length, "%lu", number);
            from += 3;
        } else {
            into[length++] = *from++;
        }
    }
    errno = 0;
    if (*from) die("too long: %s", from);
    into[length] = 0;
    return length;
}

void samples_add(struct samples *samples, uint64_t nanoseconds) {
    samples->seen++;
    if (samples->count == SAMPLES_MAX) return;
    if (samples->count == samples->capacity) {
        samples->capacity = samples->capacity ? samples->capacity * 2 : 4096;
        samples->values = realloc(samples->values, samples->capacity * sizeof *samples->values);
        if (!samples->values) die("no memory for samples");
    }
    samples->values[samples->count++] = nanoseconds;
}

void samples_clear(struct samples *samples) {
    samples->count = samples->seen = 0;
}

static int ascending(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void samples_print(struct samples *samples, FILE *out) {
    if (samples->count == 0) {
        fputs("null", out);
        return;
    }
    qsort(samples->values, samples->count, sizeof *samples->values, ascending);
    const uint64_t *values = samples->values;
    size_t last = samples->count - 1;
    fprintf(out, "{\"p50\": %.1f, \"p99\": %.1f, \"max\": %.1f, \"samples\": %zu}", (double)values[last / 2] / 1e3,
            (double)values[last * 99 / 100] / 1e3, (double)values[last] / 1e3, samples->seen);
}
