// The kernel's limit: what fan-out costs when a server does nothing but accept, epoll and send.
//
// Single thread. `GET` (any path) answers the head of an event stream and subscribes the connection;
// `POST` (any path) sends its body, byte for byte, to every subscriber with one `send` each, then answers
// `{"sent": n}`. The body is the frame, so that a run can use the very bytes that toastd sends.
// Listens on a free port of 127.0.0.1, prints its address as toastd does, ends when standard input ends.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { DESCRIPTORS_MAX = 20000, REQUEST_MAX = 64 << 10, EVENTS_MAX = 256 };

static const char stream_head[] =
    "HTTP/1.1 200 OK\r\n"
    "Content-Type: text/event-stream\r\n"
    "Cache-Control: no-store, no-transform\r\n"
    "X-Accel-Buffering: no\r\n"
    "Connection: close\r\n"
    "\r\n"
    "retry: 2000\n\n";

static int poller;
static int subscribers[DESCRIPTORS_MAX];
static int subscriber_count;
static int slot_of[DESCRIPTORS_MAX];  // 1 + index in `subscribers`; 0: not one
static char *request_of[DESCRIPTORS_MAX];  // the received part of an unfinished request
static size_t request_length[DESCRIPTORS_MAX];

static void drop(int fd) {
    if (slot_of[fd]) {
        int slot = slot_of[fd] - 1, last = subscribers[--subscriber_count];
        subscribers[slot] = last;
        slot_of[last] = slot + 1;
        slot_of[fd] = 0;
    }
    free(request_of[fd]);
    request_of[fd] = NULL;
    request_length[fd] = 0;
    close(fd);
}

static void publish(const char *frame, size_t length) {
    for (int i = 0; i < subscriber_count; i++)
        // A subscriber that does not read loses frames here, which its counts show. EPOLLRDHUP removes those that left.
        send(subscribers[i], frame, length, MSG_DONTWAIT | MSG_NOSIGNAL);
}

// Answers the request in the buffer if it is complete. Returns false if the connection must be dropped.
static int answer(int fd) {
    char *request = request_of[fd];
    char *end = memmem(request, request_length[fd], "\r\n\r\n", 4);
    if (!end) return request_length[fd] < REQUEST_MAX;
    if (memcmp(request, "GET ", 4) == 0) {
        subscribers[subscriber_count++] = fd;
        slot_of[fd] = subscriber_count;
        free(request);
        request_of[fd] = NULL;
        request_length[fd] = 0;
        return send(fd, stream_head, sizeof stream_head - 1, MSG_DONTWAIT | MSG_NOSIGNAL) > 0;
    }
    *end = 0;
    const char *field = strcasestr(request, "\r\nContent-Length:");
    size_t body = field ? strtoul(field + 17, NULL, 10) : 0, head = (size_t)(end + 4 - request);
    *end = '\r';
    if (head + body > REQUEST_MAX) return 0;
    if (request_length[fd] < head + body) return 1;
    int sent = subscriber_count;
    publish(request + head, body);
    char response[160], content[32];
    int size = sprintf(content, "{\"sent\": %d}", sent);
    int length = sprintf(response, "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
                         size, content);
    request_length[fd] = 0;  // no pipelining: the clients here wait for the answer
    return send(fd, response, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL) > 0;
}

static int receive(int fd) {
    if (slot_of[fd]) {  // bytes from a subscriber are read and dropped
        char scrap[512];
        ssize_t n = recv(fd, scrap, sizeof scrap, MSG_DONTWAIT);
        return n > 0 || (n < 0 && errno == EAGAIN);
    }
    if (!request_of[fd] && !(request_of[fd] = malloc(REQUEST_MAX + 1))) return 0;
    ssize_t n = recv(fd, request_of[fd] + request_length[fd], REQUEST_MAX - request_length[fd], MSG_DONTWAIT);
    if (n <= 0) return n < 0 && errno == EAGAIN;
    request_length[fd] += (size_t)n;
    request_of[fd][request_length[fd]] = 0;
    return answer(fd);
}

static void watch(int fd, uint32_t events) {
    struct epoll_event event = {.events = events, .data.fd = fd};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) < 0) perror("epoll_ctl");
}

static void accept_all(int listener) {
    int fd, on = 1;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        if (fd >= DESCRIPTORS_MAX) {
            close(fd);
            continue;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        watch(fd, EPOLLIN | EPOLLRDHUP);
    }
}

int main(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);

    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, 4096) < 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) < 0) {
        perror("sendloop: listen");
        return 1;
    }
    poller = epoll_create1(EPOLL_CLOEXEC);
    watch(listener, EPOLLIN);
    watch(STDIN_FILENO, EPOLLIN | EPOLLRDHUP);
    fprintf(stderr, "serving http://127.0.0.1:%d\n", ntohs(address.sin_port));

    struct epoll_event events[EVENTS_MAX];
    for (;;) {
        int count = epoll_wait(poller, events, EVENTS_MAX, -1);
        for (int i = 0; i < count; i++) {
            int fd = events[i].data.fd;
            char byte;
            if (fd == listener)
                accept_all(listener);
            else if (fd == STDIN_FILENO) {
                if (read(fd, &byte, 1) <= 0) return 0;
            } else if (!receive(fd))
                drop(fd);
        }
    }
}
