// Publishes over C keep-alive connections, one request at a time on each, from one thread.
//
//     publishers --to 127.0.0.1:8080 --path /v1/channels/c{n}/toasts [--connections C] [--channels M] [--first F]
//                [--numbers A,B,…] [--requests N] [--seconds T] [--rate R] [--batch K] [--size BYTES | --body TEXT]
//                [--stamp TEXT] [--method POST] [--header 'Name: value']
//
// "{n}" in the path becomes F + the request's number modulo M, or each of the numbers A, B … in turn. The body is a
// toast `{"message":"…"}` padded to BYTES, or an array of K such toasts, or TEXT as it is (with "{n}" too). With
// `--stamp` the message contains that text and the CLOCK_MONOTONIC time. With `--rate` requests are due at fixed times,
// and latency counts from these times, so that it includes the delay of requests that a stall has held back.
//
// Ends after N requests (1000 if not given) or T seconds (60), and prints one line of JSON.
#define _GNU_SOURCE
#include "common.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { HEAD_MAX = 4096, BODY_MAX = 1 << 20, EVENTS_MAX = 256, NUMBERS_MAX = 1024 };

struct connection {
    int fd;
    bool busy;
    uint64_t since;         // when the request under way was due
    char head[HEAD_MAX + 1];  // of the answer, as far as it has arrived
    size_t have;
    size_t left;            // bytes of the answer's body still to come, if `whole`
    bool whole;             // the head is complete
};

static struct sockaddr_in server;
static const char *path, *method = "POST", *header = "", *stamp, *text;
static size_t connection_count = 1, channel_count = 1, first, batch = 0, size = 64;
static unsigned long numbers[NUMBERS_MAX];
static size_t number_count;
static uint64_t wanted = 1000;
static double rate;
static struct connection *connections;
static int poller;
static uint64_t sent, answered, refused, broken, began;
static int first_refused;  // the status of the first answer that is not 2xx
static struct samples latency;

// Appends one toast of `size` bytes.
static size_t write_toast(char *into) {
    char message[64] = "";
    if (stamp) snprintf(message, sizeof message, "%.32s%llu ", stamp, (unsigned long long)now_ns());
    size_t length = (size_t)sprintf(into, "{\"message\":\"%s", message);
    while (length + 2 < size || length < 13) into[length++] = 'x';
    return length + (size_t)sprintf(into + length, "\"}");
}

static size_t write_body(char *into, unsigned long number) {
    if (text) return fill_in(into, BODY_MAX, text, number);
    if (batch == 0) return write_toast(into);
    size_t length = 0;
    for (size_t i = 0; i < batch; i++) {
        into[length++] = i == 0 ? '[' : ',';
        length += write_toast(into + length);
    }
    into[length++] = ']';
    return length;
}

static void start_request(struct connection *connection, uint64_t due) {
    static char request[BODY_MAX + 4096], body[BODY_MAX];
    char target[512];
    unsigned long number = number_count ? numbers[sent % number_count] : first + sent % channel_count;
    fill_in(target, sizeof target, path, number);
    size_t content = write_body(body, number);
    int head = snprintf(request, sizeof request,
                        "%s %s HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
                        "Content-Length: %zu\r\n%s%s\r\n",
                        method, target, content, header, *header ? "\r\n" : "");
    memcpy(request + head, body, content);
    connection->busy = true;
    connection->whole = false;
    connection->have = 0;
    connection->since = due;
    sent++;
    // Sends block: a request that does not fit into the socket's buffer waits for the server.
    for (size_t at = 0, length = (size_t)head + content; at < length;) {
        ssize_t n = send(connection->fd, request + at, length - at, MSG_NOSIGNAL);
        if (n < 0) break;  // the closed connection shows in `receive`
        at += (size_t)n;
    }
}

static void finish(struct connection *connection) {
    int status = atoi(connection->head + 9);
    if (status / 100 != 2 && refused++ == 0) first_refused = status;
    samples_add(&latency, now_ns() - connection->since);
    answered++;
    connection->busy = false;
}

static void lose(struct connection *connection) {
    broken++;
    close(connection->fd);
    connection->fd = -1;
    connection->busy = false;
}

static void receive(struct connection *connection) {
    static char scrap[256 << 10];
    char *into = connection->whole ? scrap : connection->head + connection->have;
    size_t room = connection->whole ? sizeof scrap : HEAD_MAX - connection->have;
    ssize_t n = recv(connection->fd, into, room, MSG_DONTWAIT);
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) return lose(connection);
    if (connection->whole) {
        connection->left -= (size_t)n < connection->left ? (size_t)n : connection->left;
    } else {
        connection->have += (size_t)n;
        connection->head[connection->have] = 0;
        char *end = strstr(connection->head, "\r\n\r\n");
        if (!end && connection->have == HEAD_MAX) return lose(connection);
        if (!end) return;
        char *field = strcasestr(connection->head, "\r\nContent-Length:");
        size_t content = field && field < end ? strtoul(field + 17, NULL, 10) : 0;
        size_t came = connection->have - (size_t)(end + 4 - connection->head);
        connection->whole = true;
        connection->left = content > came ? content - came : 0;
    }
    if (connection->left == 0) finish(connection);
}

static void read_numbers(const char *from) {
    for (char *end; *from && number_count < NUMBERS_MAX; from = *end == ',' ? end + 1 : end)
        numbers[number_count++] = strtoul(from, &end, 10);
}

static void open_connections(void) {
    connections = calloc(connection_count, sizeof *connections);
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (!connections || poller < 0) die("setup");
    for (size_t i = 0; i < connection_count; i++) {
        struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data.u64 = i};
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || connect(fd, (struct sockaddr *)&server, sizeof server) < 0) die("connect");
        connections[i].fd = fd;
        if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) < 0) die("epoll_ctl");
    }
}

// Starts the requests that are due, on idle connections; returns the time at which the next one is due.
static uint64_t start_due(uint64_t now, uint64_t deadline) {
    for (size_t i = 0; i < connection_count && sent < wanted; i++) {
        if (connections[i].busy || connections[i].fd < 0) continue;
        uint64_t due = rate > 0 ? began + (uint64_t)((double)sent * 1e9 / rate) : now_ns();
        if (rate > 0 && due > now) return due;
        start_request(&connections[i], due);
    }
    return deadline;
}

static void run(uint64_t deadline) {
    struct epoll_event events[EVENTS_MAX];
    while (answered < wanted && broken < connection_count) {
        uint64_t now = now_ns();
        if (now >= deadline) return;
        uint64_t next = start_due(now, deadline);
        now = now_ns();
        uint64_t wait = next > now ? next - now : 0;
        struct timespec timeout = {(time_t)(wait / 1000000000u), (long)(wait % 1000000000u)};
        int count = epoll_pwait2(poller, events, EVENTS_MAX, &timeout, NULL);
        for (int i = 0; i < count; i++) {
            struct connection *connection = &connections[events[i].data.u64];
            if (connection->fd >= 0) receive(connection);
        }
    }
}

int main(int argc, char **argv) {
    double seconds = 60;
    static const struct option options[] = {
        {"to", 1, 0, 't'},     {"path", 1, 0, 'p'},  {"connections", 1, 0, 'c'}, {"channels", 1, 0, 'm'},
        {"first", 1, 0, 'f'},  {"requests", 1, 0, 'n'}, {"seconds", 1, 0, 'T'},  {"rate", 1, 0, 'r'},
        {"batch", 1, 0, 'k'},  {"size", 1, 0, 'z'},  {"body", 1, 0, 'b'},        {"stamp", 1, 0, 's'},
        {"method", 1, 0, 'M'}, {"header", 1, 0, 'H'}, {"numbers", 1, 0, 'N'},    {0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) switch (option) {
        case 't': server = parse_address(optarg); break;
        case 'p': path = optarg; break;
        case 'c': connection_count = strtoul(optarg, NULL, 10); break;
        case 'm': channel_count = strtoul(optarg, NULL, 10); break;
        case 'f': first = strtoul(optarg, NULL, 10); break;
        case 'n': wanted = strtoull(optarg, NULL, 10); break;
        case 'T': seconds = atof(optarg); break;
        case 'r': rate = atof(optarg); break;
        case 'k': batch = strtoul(optarg, NULL, 10); break;
        case 'z': size = strtoul(optarg, NULL, 10); break;
        case 'b': text = optarg; break;
        case 's': stamp = optarg; break;
        case 'M': method = optarg; break;
        case 'H': header = optarg; break;
        case 'N': read_numbers(optarg); break;
        default: return 2;
        }
    errno = 0;
    if (!server.sin_port || !path || connection_count == 0 || channel_count == 0)
        die("usage: publishers --to HOST:PORT --path PATH …: see the head of publishers.c");
    if ((size + 64) * (batch + 1) > BODY_MAX) die("a body has at most %d bytes", BODY_MAX);
    require_descriptors(connection_count);
    open_connections();
    began = now_ns();
    run(began + (uint64_t)(seconds * 1e9));
    double elapsed = (double)(now_ns() - began) / 1e9;
    printf("{\"requests\": %llu, \"refused\": %llu, \"first_refused\": %d, \"broken\": %llu, \"seconds\": %.6f, "
           "\"rate\": %.1f, \"latency\": ",
           (unsigned long long)answered, (unsigned long long)refused, first_refused, (unsigned long long)broken,
           elapsed, (double)answered / elapsed);
    samples_print(&latency, stdout);
    puts("}");
    return 0;
}
