// What a stored publish costs at least on libmicrohttpd and SQLite:
//
//     mhd_sqlite DATABASE
//
// Reads each body, stores the event that toastd would store (the same tables, settings and number of bytes, see
// ToastStore's Schema.swift), and answers a fixed toast after the commit. All requests of one turn of epoll share a
// transaction. One thread; no JSON parser, no engine, no rules, no log.
#include "mhd_server.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 64, BODY_MAX_BYTES = 1024, CHANNELS_MAX = 1 << 16, SLOTS = 2 * CHANNELS_MAX };

struct channel {
    char name[NAME_MAX_BYTES];  // empty: a free slot
    int64_t id, last_offset;
};

struct publish {
    struct MHD_Connection *connection;
    struct publish *next;
    size_t length;
    bool is_stored;
    char channel[NAME_MAX_BYTES], body[BODY_MAX_BYTES];
};

static const char schema[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000;"
    "PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -8192;"
    "CREATE TABLE channels (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;"
    "CREATE TABLE events (id INTEGER PRIMARY KEY, channel_id INTEGER NOT NULL, offset INTEGER NOT NULL,"
    " at INTEGER NOT NULL, envelope BLOB NOT NULL, count INTEGER NOT NULL DEFAULT 1) STRICT;"
    "CREATE UNIQUE INDEX events_by_channel ON events (channel_id, offset);";

static const char envelope_format[] =
    "{\"type\":\"enqueued\",\"channel\":\"%s\",\"cursor\":\"mthawoj4-%lld\",\"at\":\"2026-11-21T03:28:00.000Z\","
    "\"toast\":{\"id\":\"01938c5e-6e6a-7b1e-9a54-3a7a1ef0c9a1\",\"channel\":\"%s\",\"revision\":1,\"state\":\"queued\","
    "\"role\":\"info\",\"message\":%.*s,\"style\":\"glass\",\"placement\":\"top\",\"duration\":6,\"haptic\":\"automatic\","
    "\"createdAt\":\"2026-11-21T03:28:00.000Z\"}}";
static const char body_start[] = "{\"message\":";

static sqlite3 *database;
static sqlite3_stmt *begin, *commit, *insert_channel, *insert_event;
static struct channel channels[SLOTS];
static size_t channel_count;
static struct publish *pending;

static void check(bool is_right) {
    if (is_right) return;
    fprintf(stderr, "mhd_sqlite: %s\n", sqlite3_errmsg(database));
    exit(1);
}

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) == SQLITE_OK);
    return statement;
}

static void run(sqlite3_stmt *statement) {
    check(sqlite3_step(statement) == SQLITE_DONE);
    sqlite3_reset(statement);
}

// Finds a channel, or stores a new one.
static struct channel *find_channel(const char *name) {
    uint64_t hash = 14695981039346656037u;  // FNV-1a
    for (const char *byte = name; *byte; byte++) hash = (hash ^ (uint8_t)*byte) * 1099511628211u;
    struct channel *channel = &channels[hash % SLOTS];
    while (*channel->name && strcmp(channel->name, name) != 0)
        channel = channel + 1 < channels + SLOTS ? channel + 1 : channels;
    if (*channel->name) return channel;
    if (++channel_count > CHANNELS_MAX) fputs("mhd_sqlite: too many channels\n", stderr), exit(1);
    strcpy(channel->name, name);
    sqlite3_bind_text(insert_channel, 1, name, -1, SQLITE_STATIC);
    run(insert_channel);
    channel->id = sqlite3_last_insert_rowid(database);
    return channel;
}

static void store(const struct publish *publish) {
    char envelope[BODY_MAX_BYTES + 1024];
    struct channel *channel = find_channel(publish->channel);
    channel->last_offset++;
    const size_t start = sizeof body_start - 1;
    int length = snprintf(envelope, sizeof envelope, envelope_format, channel->name, (long long)channel->last_offset,
                          channel->name, (int)(publish->length - start - 1), publish->body + start);
    sqlite3_bind_int64(insert_event, 1, channel->id);
    sqlite3_bind_int64(insert_event, 2, channel->last_offset);
    sqlite3_bind_int64(insert_event, 3, 1795439793538000000);
    sqlite3_bind_int64(insert_event, 4, 1);
    sqlite3_bind_blob(insert_event, 5, envelope, length, SQLITE_STATIC);
    run(insert_event);
}

// Stores the requests of this turn, then resumes their connections to be answered. Returns whether there were any.
static bool commit_pending(void) {
    if (!pending) return false;
    run(begin);
    for (struct publish *publish = pending; publish; publish = publish->next) store(publish);
    run(commit);
    while (pending) {
        struct publish *publish = pending;
        pending = publish->next;
        publish->is_stored = true;
        MHD_resume_connection(publish->connection);
    }
    return true;
}

static struct publish *new_publish(struct MHD_Connection *connection, const char *url) {
    static const char prefix[] = "/v1/channels/";
    if (strncmp(url, prefix, sizeof prefix - 1) != 0) return NULL;
    const char *name = url + sizeof prefix - 1;
    size_t length = strcspn(name, "/");
    if (length == 0 || length >= NAME_MAX_BYTES) return NULL;
    struct publish *publish = malloc(sizeof *publish);
    if (!publish) return NULL;
    publish->connection = connection;
    publish->length = 0;
    publish->is_stored = false;
    memcpy(publish->channel, name, length);
    publish->channel[length] = 0;
    return publish;
}

// Returns MHD_NO, which ends the connection, for requests that the benchmark does not send.
static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                                  const char *version, const char *body, size_t *size, void **seen) {
    (void)context, (void)method, (void)version;
    struct publish *publish = *seen;
    if (!publish) return (*seen = new_publish(connection, url)) ? MHD_YES : MHD_NO;
    if (*size > 0) {
        if (publish->length + *size > sizeof publish->body) return MHD_NO;
        memcpy(publish->body + publish->length, body, *size);
        publish->length += *size;
        *size = 0;
        return MHD_YES;
    }
    if (publish->is_stored) {
        free(publish);
        return MHD_queue_response(connection, MHD_HTTP_CREATED, answer);
    }
    if (publish->length < sizeof body_start || memcmp(publish->body, body_start, sizeof body_start - 1) != 0) return MHD_NO;
    publish->next = pending;
    pending = publish;
    MHD_suspend_connection(connection);
    return MHD_YES;
}

int main(int argc, char **argv) {
    if (argc != 2) return fputs("usage: mhd_sqlite DATABASE\n", stderr), 2;
    check(sqlite3_open(argv[1], &database) == SQLITE_OK);
    check(sqlite3_exec(database, schema, NULL, NULL, NULL) == SQLITE_OK);
    begin = prepare("BEGIN IMMEDIATE");
    commit = prepare("COMMIT");
    insert_channel = prepare("INSERT INTO channels (name) VALUES (?)");
    insert_event = prepare("INSERT INTO events (channel_id, offset, at, count, envelope) VALUES (?, ?, ?, ?, ?)");
    return serve(MHD_ALLOW_SUSPEND_RESUME, on_request, commit_pending);
}
