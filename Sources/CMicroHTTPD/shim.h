// One `static inline` for each call that Swift cannot make itself.
#pragma once
#include <linux/sockios.h>
#include <microhttpd.h>
#include <sys/ioctl.h>

// The options of `cmhd_start`; see those of the same names in microhttpd.h.
struct cmhd_configuration {
    unsigned int connection_limit;
    size_t memory_limit;
    size_t memory_increment;
    void *context;
    MHD_NotifyConnectionCallback on_connection;
    MHD_AccessHandlerCallback on_access;
    MHD_RequestCompletedCallback on_completed;
    void *(*on_target)(void *context, const char *target, struct MHD_Connection *connection);
    size_t (*unescape)(void *context, struct MHD_Connection *connection, char *text);
};

// MHD_start_daemon is variadic.
// - External epoll: no thread of its own, no inter-thread channel.
// - Turbo: a socket is closed without shutdown(), so that a duplicate of its descriptor stays open.
// - No listening socket: a daemon that runs out of descriptors stops accepting until one of its own connections ends,
//   or spins when it has none; see Server+Accepting.swift.
// - Lenient: its own refusals are in HTML, do not name the rule, and come twice for a request without Host.
//   RequestRules is stricter than its strictest level.
// - No timeout: it would count from a connection's last byte, so a byte now and then would keep a connection forever.
static inline struct MHD_Daemon *cmhd_start(const struct cmhd_configuration *configuration) {
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_TURBO | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL,
        configuration->on_access, configuration->context,
        MHD_OPTION_CONNECTION_LIMIT, configuration->connection_limit,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, configuration->memory_limit,
        MHD_OPTION_CONNECTION_MEMORY_INCREMENT, configuration->memory_increment,
        MHD_OPTION_NOTIFY_CONNECTION, configuration->on_connection, configuration->context,
        MHD_OPTION_NOTIFY_COMPLETED, configuration->on_completed, configuration->context,
        MHD_OPTION_URI_LOG_CALLBACK, configuration->on_target, configuration->context,
        MHD_OPTION_UNESCAPE_CALLBACK, configuration->unescape, configuration->context,
        MHD_OPTION_STRICT_FOR_CLIENT, 0,
        MHD_OPTION_END);
}

// accept4(2) is declared for _GNU_SOURCE only, which Swift's importer does not define.
extern int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);
static inline int cmhd_accept(int listener, struct sockaddr *address, socklen_t *length) {
    return accept4(listener, address, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

// ioctl(2) is variadic. The bytes that the peer has not acknowledged, sent or not, and the end of the own half as one
// more (`tcp_ioctl` in the kernel's net/ipv4/tcp.c); -1 on failure.
static inline int cmhd_unacknowledged(int descriptor) {
    int count = -1;
    return ioctl(descriptor, SIOCOUTQ, &count) == 0 ? count : -1;
}

// MHD_get_daemon_info is variadic.
static inline int cmhd_epoll_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

// MHD_get_connection_info is variadic.
static inline const struct sockaddr *cmhd_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

// MHD_get_connection_info is variadic.
static inline int cmhd_connection_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

// MHD_get_connection_info is variadic. The context is what on_connection stored.
static inline void *cmhd_connection_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

// MHD_get_connection_info is variadic. The size of the request's head on the wire, from the method's first byte to the
// end of the empty line; 0 when the library does not know.
static inline size_t cmhd_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}
