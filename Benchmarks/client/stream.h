// One subscriber: a connection that receives events over SSE, WebSocket or long-poll.
#ifndef TOASTD_BENCH_STREAM_H
#define TOASTD_BENCH_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common.h"

enum stream_state {
    STREAM_CONNECTING,  // → STATUS when writable, → CLOSED
    STREAM_STATUS,      // the request is sent → HEAD at a 200 or 101 (long-poll: → OPEN at a whole answer), → CLOSED
    STREAM_HEAD,        // → OPEN at the blank line, → CLOSED
    STREAM_OPEN,        // counting → CLOSED
    STREAM_CLOSED,
};

struct websocket {
    uint8_t header[10], have;    // the frame header so far, and its length
    uint8_t control[125], held;  // the payload of a ping so far, and its length
    uint64_t left;               // payload bytes still to come
};

struct poll {
    char *pending;  // an answer that came in parts, or NULL
    size_t length;
    char query[80], fields[120];  // of the next request: the position in the last answer
};

struct stream {
    int fd;
    uint8_t state, blank;  // `blank`: how much of CRLF CRLF was seen
    bool open;             // was OPEN and has not ended; stays true while a long-poll reconnects
    uint8_t carried;       // bytes of the marker at the end of the last read
    uint32_t count;        // events since the last reset
    uint32_t channel;      // in place of "{n}" in the path
    union {
        struct websocket websocket;
        struct poll poll;
    };
};

// The common settings of all streams, and their common counts.
struct tally {
    const char *path;
    const char *marker;  // what is counted: one occurrence is one event
    size_t marker_length;
    const char *stamp;  // the text before the CLOCK_MONOTONIC nanoseconds in a message, or NULL
    uint32_t goal;      // events that every stream waits for; UINT32_MAX: none
    size_t reached;     // streams at the goal
    uint64_t events, bytes, last;
    struct samples ages;
};
extern struct tally tally;

// A transport. `receive` returns false if the stream must be closed.
struct protocol {
    const char *name, *request_head;  // the fields after the request line
    bool comes_back;                  // a connection that the server ends after an answer is opened again
    const char *marker;               // the default marker
    int status;                       // of the head that opens the stream; 0: `receive` reads heads itself and opens the stream
    bool (*receive)(struct stream *stream, char *bytes, size_t length);
};
extern const struct protocol sse, websocket, poll_loop;

// Counts the events in some bytes of a stream, also those cut by the end of a read.
void tally_bytes(struct stream *stream, const char *bytes, size_t length);
// Ends the process if the marker can overlap itself, because the counting assumes that it cannot.
void tally_check_marker(void);
// Sends the next request of a long-poll.
bool poll_again(const struct stream *stream);
// Drops the part of a long-poll's answer that came before its connection broke.
void poll_forget(struct stream *stream);

#endif
