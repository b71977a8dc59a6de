// Opens many streams from one thread and counts what comes.
//
//     subscribers --to 127.0.0.1:8080 --path /v1/channels/c{n}/stream --streams 2000 [--channels M]
//                 [--websocket | --poll] [--marker TEXT] [--stamp TEXT] [--index K] [--seconds T]
//
// "{n}" in the path is the stream's number modulo M. One event is one occurrence of the marker ("\ndata:" for SSE).
// `--index` is the number of the first stream of this process: it decides the source address.
// `--stamp` names the text before a CLOCK_MONOTONIC time in a message, from which ages are taken.
//
// Prints {"what": "connected", …} when each stream has its response head (or has failed), then obeys lines on
// standard input, each answered by one line of JSON:
//     reset           all counts and ages to zero
//     expect K T      wait until each open stream has K events since the reset, T seconds at most
//     count           the counts as they are
//     quit            end (so does the end of standard input, and --seconds: 600 if not given)
#define _GNU_SOURCE
#include "stream.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { IN_FLIGHT = 256, EVENTS_MAX = 512, READ_SIZE = 64 << 10, CONTROL = -1 };

static const struct protocol *protocol = &sse;
static struct sockaddr_in server;
static struct stream *streams;
static size_t stream_count = 1, channel_count = 1, first_index;
static size_t started, opened, failed, closed;  // `closed`: streams that ended after they had been open
static int poller;
static uint64_t began, reset_at, deadline = 0, expect_until = 0;

static void report(const char *what) {
    uint64_t least = 0, most = 0;
    for (size_t i = 0; i < stream_count; i++) {
        if (!streams[i].open) continue;
        if (most == 0 || streams[i].count < least) least = streams[i].count;
        if (streams[i].count > most) most = streams[i].count;
    }
    uint64_t until = tally.last > reset_at ? tally.last : reset_at;
    printf("{\"what\": \"%s\", \"connected\": %zu, \"failed\": %zu, \"closed\": %zu, \"events\": %llu, \"bytes\": %llu, "
           "\"least\": %llu, \"most\": %llu, \"seconds\": %.6f, \"latency\": ",
           what, opened, failed, closed, (unsigned long long)tally.events, (unsigned long long)tally.bytes,
           (unsigned long long)least, (unsigned long long)most, (double)(until - reset_at) / 1e9);
    samples_print(&tally.ages, stdout);
    puts("}");
    fflush(stdout);
}

static void reset(void) {
    for (size_t i = 0; i < stream_count; i++) streams[i].count = 0;
    tally.events = tally.bytes = tally.reached = 0;
    tally.goal = UINT32_MAX;
    samples_clear(&tally.ages);
    reset_at = now_ns();
}

static void expect(uint32_t goal, double seconds) {
    tally.goal = goal;
    tally.reached = 0;
    for (size_t i = 0; i < stream_count; i++)
        tally.reached += streams[i].open && streams[i].count >= goal;
    expect_until = now_ns() + (uint64_t)(seconds * 1e9);
}

// Obeys the complete lines of standard input. Returns false if the process should end.
static bool obey(void) {
    static char line[256];
    static size_t length;
    ssize_t n = read(STDIN_FILENO, line + length, sizeof line - 1 - length);
    if (n <= 0) return false;
    line[length += (size_t)n] = 0;
    char *end;
    while ((end = strchr(line, '\n'))) {
        unsigned goal;
        double seconds;
        *end = 0;
        if (strcmp(line, "quit") == 0) return false;
        if (strcmp(line, "reset") == 0) reset();
        if (sscanf(line, "expect %u %lf", &goal, &seconds) == 2)
            expect(goal, seconds);
        else
            report(strcmp(line, "reset") == 0 ? "reset" : "count");
        length -= (size_t)(end + 1 - line);
        memmove(line, end + 1, length + 1);
    }
    return length < sizeof line - 1;
}

static void connect_stream(size_t i) {
    struct stream *stream = &streams[i];
    stream->fd = connect_from(first_index + i, &server);
    stream->state = STREAM_CONNECTING;
    stream->channel = (uint32_t)((first_index + i) % channel_count);
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP, .data.u64 = i};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, stream->fd, &event) < 0) die("epoll_ctl");
}

static void end_stream(struct stream *stream) {
    close(stream->fd);
    if (protocol->comes_back) poll_forget(stream);
    if (stream->open && stream->state == STREAM_OPEN && protocol->comes_back)
        return connect_stream((size_t)(stream - streams));
    if (stream->open) {
        closed++;
        if (stream->count >= tally.goal) tally.reached--;
        opened--;
    } else {
        failed++;
    }
    stream->open = false;
    stream->state = STREAM_CLOSED;
}

static void open_more(void) {
    while (started < stream_count && started - opened - failed - closed < IN_FLIGHT) connect_stream(started++);
    if (started == stream_count && opened + failed + closed == stream_count && began) {
        reset_at = began;
        tally.last = now_ns();
        began = 0;
        report("connected");
    }
}

static bool send_request(struct stream *stream) {
    char path[512], request[1024];
    fill_in(path, sizeof path, tally.path, stream->channel);
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: bench\r\n%s\r\n", path,
                          protocol->request_head);
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data.u64 = (uint64_t)(stream - streams)};
    epoll_ctl(poller, EPOLL_CTL_MOD, stream->fd, &event);
    stream->state = STREAM_STATUS;
    if (stream->open) return poll_again(stream);
    return send(stream->fd, request, (size_t)length, MSG_NOSIGNAL) == length;
}

// Removes the head, or the part of it that has arrived, from the front of some bytes. Returns false if its status is
// not the expected one.
static bool skip_head(struct stream *stream, char **bytes, size_t *length) {
    if (stream->state == STREAM_STATUS && (*length < 12 || atoi(*bytes + 9) != protocol->status)) return false;
    stream->state = STREAM_HEAD;
    for (; *length > 0 && stream->state == STREAM_HEAD; ++*bytes, --*length) {
        stream->blank = **bytes == "\r\n\r\n"[stream->blank] ? stream->blank + 1 : **bytes == '\r';
        if (stream->blank == 4) stream->state = STREAM_OPEN;
    }
    return true;
}

static bool receive(struct stream *stream) {
    static char buffer[READ_SIZE + 1];
    ssize_t n = recv(stream->fd, buffer, READ_SIZE, MSG_DONTWAIT);
    if (n <= 0) return n < 0 && errno == EAGAIN;
    char *bytes = buffer;
    size_t length = (size_t)n;
    buffer[length] = 0;
    bool alive = stream->state == STREAM_OPEN || protocol->status == 0 || skip_head(stream, &bytes, &length);
    if (alive && length > 0) alive = protocol->receive(stream, bytes, length);
    if (stream->state == STREAM_OPEN && !stream->open) {
        stream->open = true;
        opened++;
    }
    return alive;
}

static void serve_stream(size_t i, uint32_t events) {
    struct stream *stream = &streams[i];
    if (stream->state == STREAM_CLOSED) return;
    bool alive = true;
    if (stream->state == STREAM_CONNECTING)
        alive = !(events & (EPOLLERR | EPOLLHUP)) && (!(events & EPOLLOUT) || send_request(stream));
    else if (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR))
        alive = receive(stream);
    if (!alive) end_stream(stream);
}

static void run(void) {
    struct epoll_event events[EVENTS_MAX];
    for (;;) {
        open_more();
        uint64_t now = now_ns();
        if (now >= deadline) return;
        if (expect_until && (tally.reached >= opened || now >= expect_until)) {
            expect_until = 0;
            report(tally.reached >= opened ? "reached" : "missed");
        }
        uint64_t next = expect_until && expect_until < deadline ? expect_until : deadline;
        uint64_t events_before = tally.events;
        int count = epoll_wait(poller, events, EVENTS_MAX, (int)((next - now) / 1000000 + 1));
        for (int i = 0; i < count; i++) {
            if (events[i].data.u64 == (uint64_t)CONTROL) {
                if (!obey()) return;
            } else {
                serve_stream(events[i].data.u64, events[i].events);
            }
        }
        if (tally.events != events_before) tally.last = now_ns();
    }
}

int main(int argc, char **argv) {
    double seconds = 600;
    static const struct option options[] = {
        {"to", 1, 0, 't'},     {"path", 1, 0, 'p'},   {"streams", 1, 0, 'n'}, {"channels", 1, 0, 'c'},
        {"marker", 1, 0, 'm'}, {"stamp", 1, 0, 's'},  {"index", 1, 0, 'i'},   {"seconds", 1, 0, 'T'},
        {"poll", 0, 0, 'P'},   {"websocket", 0, 0, 'W'}, {0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) switch (option) {
        case 't': server = parse_address(optarg); break;
        case 'p': tally.path = optarg; break;
        case 'n': stream_count = strtoul(optarg, NULL, 10); break;
        case 'c': channel_count = strtoul(optarg, NULL, 10); break;
        case 'm': tally.marker = optarg; break;
        case 's': tally.stamp = optarg; break;
        case 'i': first_index = strtoul(optarg, NULL, 10); break;
        case 'T': seconds = atof(optarg); break;
        case 'P': protocol = &poll_loop; break;
        case 'W': protocol = &websocket; break;
        default: return 2;
        }
    if (!server.sin_port || !tally.path || stream_count == 0 || channel_count == 0) {
        errno = 0;
        die("usage: subscribers --to HOST:PORT --path PATH [--streams N] …: see the head of subscribers.c");
    }
    if (!tally.marker) tally.marker = protocol->marker;
    tally_check_marker();
    require_descriptors(stream_count);
    streams = calloc(stream_count, sizeof *streams);
    poller = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event control = {.events = EPOLLIN, .data.u64 = (uint64_t)CONTROL};
    if (!streams || poller < 0 || epoll_ctl(poller, EPOLL_CTL_ADD, STDIN_FILENO, &control) < 0) die("setup");
    began = now_ns();
    deadline = began + (uint64_t)(seconds * 1e9);
    run();
    return 0;
}
