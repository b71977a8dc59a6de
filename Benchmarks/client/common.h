// What the load clients share: time, connections from several loopback addresses, latency samples.
#ifndef TOASTD_BENCH_COMMON_H
#define TOASTD_BENCH_COMMON_H

#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Prints a sentence (and errno's text, when errno is set) on standard error and ends the process with 2.
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

// CLOCK_MONOTONIC in nanoseconds. All processes of a machine share this clock, so that one can stamp a message and
// another one can compute its age.
uint64_t now_ns(void);

// Reads "HOST:PORT" (a numeric IPv4 address), or ends the process.
struct sockaddr_in parse_address(const char *text);

// Starts a non-blocking connect and returns the descriptor.
//
// Connection `index` leaves from 127.0.0.(1 + index / 8000): one source address has about
// 28,000 ports towards one server, and a kernel slows down long before it runs out of them.
int connect_from(size_t index, const struct sockaddr_in *to);

// Raises the soft limit on descriptors to the hard one, and ends the process if that is less than `wanted`.
void require_descriptors(size_t wanted);

// Copies `from` to `into`, writing `number` in place of each "{n}". Returns the length.
size_t fill_in(char *into, size_t capacity, const char *from, unsigned long number);

// Durations in nanoseconds. After `SAMPLES_MAX` further ones are only counted.
enum { SAMPLES_MAX = 4u << 20 };
struct samples {
    uint64_t *values;
    size_t count, capacity, seen;
};
void samples_add(struct samples *samples, uint64_t nanoseconds);
void samples_clear(struct samples *samples);
// Writes `{"p50": …, "p99": …, "max": …, "samples": n}` in microseconds; `null` when there are none.
void samples_print(struct samples *samples, FILE *out);

#endif
