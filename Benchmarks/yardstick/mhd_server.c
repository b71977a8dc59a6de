#include "mhd_server.h"

#include <netinet/in.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

static const char toast[] =
    "{\"id\":\"01938c5e-6e6a-7b1e-9a54-3a7a1ef0c9a1\",\"channel\":\"p1\",\"revision\":1,\"state\":\"queued\",\"role\":\"info\","
    "\"message\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\",\"style\":\"glass\",\"placement\":\"top\",\"duration\":6,"
    "\"haptic\":\"automatic\",\"createdAt\":\"2026-11-21T03:28:00.000Z\"}";

struct MHD_Response *answer;

int serve(unsigned flags, MHD_AccessHandlerCallback on_request, bool (*end_of_turn)(void)) {
    answer = MHD_create_response_from_buffer(sizeof toast - 1, (void *)toast, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(answer, "Content-Type", "application/json");
    MHD_add_response_header(answer, "Location", "/v1/channels/p1/toasts/01938c5e-6e6a-7b1e-9a54-3a7a1ef0c9a1");
    MHD_add_response_header(answer, "ETag", "\"1\"");
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct MHD_Daemon *daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_USE_TURBO | flags, 0, NULL, NULL, on_request, NULL,
                                                 MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                                                 (size_t)8192, MHD_OPTION_END);
    if (!daemon) return perror("MHD_start_daemon"), 1;
    fprintf(stderr, "serving http://127.0.0.1:%u\n",
            (unsigned)MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);

    int poller = epoll_create1(EPOLL_CLOEXEC), library = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    struct epoll_event event = {.events = EPOLLIN, .data.fd = library};
    epoll_ctl(poller, EPOLL_CTL_ADD, library, &event);
    event.data.fd = STDIN_FILENO;
    epoll_ctl(poller, EPOLL_CTL_ADD, STDIN_FILENO, &event);
    for (;;) {
        MHD_UNSIGNED_LONG_LONG timeout = 1000;
        if (MHD_get_timeout(daemon, &timeout) == MHD_NO || timeout > 1000) timeout = 1000;
        char byte;
        if (epoll_wait(poller, &event, 1, (int)timeout) == 1 && event.data.fd == STDIN_FILENO && read(0, &byte, 1) <= 0)
            break;
        MHD_run(daemon);
        // MHD_get_timeout ignores resumed connections. The first run takes them up, the second one answers them.
        while (end_of_turn && end_of_turn()) {
            MHD_run(daemon);
            MHD_run(daemon);
        }
    }
    MHD_stop_daemon(daemon);
    MHD_destroy_response(answer);
    return 0;
}
