// The three transports, and their common counting.
#define _GNU_SOURCE
#include "stream.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct tally tally = {.goal = UINT32_MAX};

void tally_check_marker(void) {
    tally.marker_length = strlen(tally.marker);
    errno = 0;
    if (tally.marker_length == 0 || tally.marker_length > 200) die("a marker has 1 to 200 bytes");
    for (size_t n = 1; n < tally.marker_length; n++)
        if (memcmp(tally.marker, tally.marker + tally.marker_length - n, n) == 0)
            die("the marker begins as it ends: %s", tally.marker);
}

static void found(struct stream *stream, uint32_t events) {
    if (events == 0) return;
    uint32_t before = stream->count;
    stream->count += events;
    tally.events += events;
    if (before < tally.goal && stream->count >= tally.goal) tally.reached++;
}

// A stamp that is split between two reads is left out, because the ages are only a sample.
static void read_stamps(const char *bytes, size_t length) {
    const char *at = bytes, *end = bytes + length;
    size_t size = strlen(tally.stamp);
    uint64_t now = now_ns();
    while ((at = memmem(at, (size_t)(end - at), tally.stamp, size))) {
        uint64_t then = 0;
        for (at += size; at < end && isdigit((unsigned char)*at); at++) then = then * 10 + (uint64_t)(*at - '0');
        if (at < end && then && then <= now) samples_add(&tally.ages, now - then);
    }
}

void tally_bytes(struct stream *stream, const char *bytes, size_t length) {
    const char *marker = tally.marker;
    size_t size = tally.marker_length, at = 0;
    uint32_t events = 0;
    tally.bytes += length;
    if (stream->carried) {
        while (at < length && stream->carried < size && bytes[at] == marker[stream->carried]) at++, stream->carried++;
        if (stream->carried < size && at == length) return;  // still in the middle of it
        if (stream->carried == size)
            events++;
        else
            at = 0;
        stream->carried = 0;
    }
    const char *hit;
    while ((hit = memmem(bytes + at, length - at, marker, size))) {
        events++;
        at = (size_t)(hit - bytes) + size;
    }
    size_t tail = length - at < size - 1 ? length - at : size - 1;
    while (tail > 0 && memcmp(bytes + length - tail, marker, tail) != 0) tail--;
    stream->carried = (uint8_t)tail;
    found(stream, events);
    if (tally.stamp) read_stamps(bytes, length);
}

// MARK: Server-Sent Events

static bool sse_receive(struct stream *stream, char *bytes, size_t length) {
    tally_bytes(stream, bytes, length);
    return true;
}

const struct protocol sse = {
    .name = "sse",
    .request_head = "Accept: text/event-stream\r\n",
    .marker = "\ndata:",
    .status = 200,
    .receive = sse_receive,
};

// MARK: WebSocket (RFC 6455)

// A client masks what it sends (5.3); the key 0 leaves the bytes as they are.
static void pong(int fd, const uint8_t *payload, uint8_t length) {
    uint8_t frame[6 + 125] = {0x8a, (uint8_t)(0x80 | length)};
    memcpy(frame + 6, payload, length);
    send(fd, frame, 6u + length, MSG_DONTWAIT | MSG_NOSIGNAL);
}

// The header is 2 bytes, and 2 or 8 more for a length of 126 or 127 (5.2); a server does not mask.
static size_t header_size(const struct websocket *frame) {
    if (frame->have < 2) return 2;
    uint8_t length = frame->header[1] & 0x7f;
    return length == 126 ? 4 : length == 127 ? 10 : 2;
}

static uint64_t payload_length(const struct websocket *frame) {
    uint64_t length = frame->header[1] & 0x7f;
    if (length < 126) return length;
    length = 0;
    for (size_t i = 2; i < header_size(frame); i++) length = length << 8 | frame->header[i];
    return length;
}

static bool websocket_receive(struct stream *stream, char *bytes, size_t length) {
    struct websocket *frame = &stream->websocket;
    for (size_t at = 0; at < length;) {
        if (frame->have < header_size(frame)) {
            frame->header[frame->have++] = (uint8_t)bytes[at++];
            if (frame->have < header_size(frame)) continue;
            frame->left = payload_length(frame);
            frame->held = 0;
            tally.bytes += frame->have;  // what was sent, headers included: the figure to compare frames by
        }
        size_t part = length - at < frame->left ? length - at : (size_t)frame->left;
        uint8_t opcode = frame->header[0] & 0x0f;
        if (opcode == 0x8) return false;  // close
        if (opcode == 0x9 && frame->held + part <= sizeof frame->control) {
            memcpy(frame->control + frame->held, bytes + at, part);
            frame->held += (uint8_t)part;
        } else if (opcode <= 0x2 && part > 0) {
            tally_bytes(stream, bytes + at, part);
        }
        at += part;
        frame->left -= part;
        if (frame->left > 0) continue;
        if (opcode == 0x9) pong(stream->fd, frame->control, frame->held);
        frame->have = 0;
    }
    return true;
}

const struct protocol websocket = {
    .name = "websocket",
    .request_head =
        "Connection: Upgrade\r\n"
        "Upgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Protocol: toastd.v1\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
    .marker = "{\"type\":\"",
    .status = 101,
    .receive = websocket_receive,
};

// MARK: Long-poll: each request asks for the events after the position in the last answer

bool poll_again(const struct stream *stream) {
    char path[512], request[1024];
    fill_in(path, sizeof path, tally.path, stream->channel);
    int length = snprintf(request, sizeof request, "GET %s%s HTTP/1.1\r\nHost: bench\r\n%s\r\n", path,
                          stream->poll.query, stream->poll.fields);
    return send(stream->fd, request, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL) == length;
}

void poll_forget(struct stream *stream) {
    free(stream->poll.pending);
    stream->poll.pending = NULL;
    stream->poll.length = 0;
}

// The position: with toastd a cursor in the body, with Nchan validators in the head.
static bool read_position(struct poll *poll, const char *head, const char *body) {
    char cursor[64], etag[24], modified[40];
    const char *found = strstr(body, "\"cursor\":\"");
    if (found && sscanf(found + 10, "%63[^\"]", cursor) == 1) {
        snprintf(poll->query, sizeof poll->query, "%csince=%s", strchr(tally.path, '?') ? '&' : '?', cursor);
        return true;
    }
    const char *tag = strcasestr(head, "\r\nEtag: "), *date = strcasestr(head, "\r\nLast-Modified: ");
    if (!tag || !date || sscanf(tag + 8, "%23[^\r]", etag) != 1 || sscanf(date + 17, "%39[^\r]", modified) != 1)
        return false;
    snprintf(poll->fields, sizeof poll->fields, "If-None-Match: %s\r\nIf-Modified-Since: %s\r\n", etag, modified);
    return true;
}

// The length of the first answer in the bytes; 0 if it is incomplete, -1 if it is invalid.
static long answer_length(const char *bytes, size_t length, const char **body) {
    const char *end = memmem(bytes, length, "\r\n\r\n", 4);
    if (!end) return 0;
    const char *field = strcasestr(bytes, "\r\nContent-Length:");
    if (memcmp(bytes, "HTTP/1.1 200", 12) != 0 || !field || field > end) return -1;
    *body = end + 4;
    size_t whole = (size_t)(*body - bytes) + strtoul(field + 17, NULL, 10);
    return whole <= length ? (long)whole : 0;
}

static bool poll_receive(struct stream *stream, char *bytes, size_t length) {
    struct poll *poll = &stream->poll;
    poll->pending = realloc(poll->pending, poll->length + length + 1);
    if (!poll->pending) die("no memory for an answer");
    memcpy(poll->pending + poll->length, bytes, length);
    poll->length += length;
    poll->pending[poll->length] = 0;
    const char *body;
    long whole = answer_length(poll->pending, poll->length, &body);
    if (whole <= 0) return whole == 0;
    bool understood = read_position(poll, poll->pending, body);
    // After an answer with this field the server ends the connection, and the stream connects again.
    const char *last = strcasestr(poll->pending, "\r\nConnection: close");
    bool is_last = last && last < body;
    tally_bytes(stream, body, (size_t)(poll->pending + whole - body));
    poll_forget(stream);
    stream->state = STREAM_OPEN;
    return understood && (is_last || poll_again(stream));
}

const struct protocol poll_loop = {
    .name = "poll",
    .request_head = "",
    .comes_back = true,
    .marker = "{\"type\":\"",
    .status = 0,
    .receive = poll_receive,
};
