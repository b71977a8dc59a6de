// The least that a stored message costs a client of NATS: js_PublishMsgAsync, with nothing around it.
//
//     nats_publish SERVER STREAM SUBJECT HEADER BODY-BYTES
//
// Publishes messages of the given header value and size; "{n}" in SUBJECT is a number from 0 to 15. Each line `publish N
// PENDING` on standard input publishes N of them, at most PENDING unacknowledged at a time, and prints one line when all
// are acknowledged. Prints `ready` first, ends when standard input ends. The stream must exist.
#include <nats/nats.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUBJECTS = 16, SUBJECT_MAX = 256, BODY_MAX = 1 << 20 };

static atomic_ulong refused;

static void check(natsStatus status, const char *what) {
    if (status == NATS_OK) return;
    fprintf(stderr, "nats_publish: %s: %s\n", what, natsStatus_GetText(status));
    exit(1);
}

// Called for each acknowledgement. It owns the message.
static void on_ack(jsCtx *context, natsMsg *message, jsPubAck *ack, jsPubAckErr *error, void *closure) {
    (void)context, (void)ack, (void)closure;
    if (error) atomic_fetch_add(&refused, 1);
    natsMsg_Destroy(message);
}

int main(int argc, char **argv) {
    if (argc != 6) return fputs("usage: nats_publish SERVER STREAM SUBJECT HEADER BODY-BYTES\n", stderr), 2;
    size_t length = strtoul(argv[5], NULL, 10);
    if (length == 0 || length > BODY_MAX) return fputs("nats_publish: a body has 1 byte to 1 MiB\n", stderr), 2;
    char *body = malloc(length), subjects[SUBJECTS][SUBJECT_MAX];
    if (!body) return 1;
    memset(body, 'x', length);
    const char *number = strstr(argv[3], "{n}");
    for (int i = 0; i < SUBJECTS; i++) {
        if (number)
            snprintf(subjects[i], SUBJECT_MAX, "%.*s%d%s", (int)(number - argv[3]), argv[3], i, number + 3);
        else
            snprintf(subjects[i], SUBJECT_MAX, "%s", argv[3]);
    }
    natsOptions *options;
    natsConnection *connection;
    check(natsOptions_Create(&options), "options");
    check(natsOptions_SetURL(options, argv[1]), "server");
    check(natsOptions_SetSendAsap(options, true), "options");
    check(natsConnection_Connect(&connection, options), "connect");
    puts("ready");
    fflush(stdout);
    unsigned long count;
    long pending;
    while (scanf(" publish %lu %ld", &count, &pending) == 2) {
        jsOptions settings;
        jsCtx *context;
        check(jsOptions_Init(&settings), "context");
        settings.PublishAsync.MaxPending = pending;
        settings.PublishAsync.StallWait = 10000;
        settings.PublishAsync.AckHandler = on_ack;
        check(natsConnection_JetStream(&context, connection, &settings), "context");
        jsPubOptions expected;
        check(jsPubOptions_Init(&expected), "options");
        expected.ExpectStream = argv[2];
        for (unsigned long i = 0; i < count; i++) {
            natsMsg *message;
            check(natsMsg_Create(&message, subjects[i % SUBJECTS], NULL, body, (int)length), "message");
            check(natsMsgHeader_Set(message, "Toastd-Log", argv[4]), "header");
            check(js_PublishMsgAsync(context, &message, &expected), "publish");
        }
        check(js_PublishAsyncComplete(context, NULL), "acknowledgements");
        jsCtx_Destroy(context);
        printf("published %lu refused %lu\n", count, atomic_load(&refused));
        fflush(stdout);
    }
    natsConnection_Close(connection);
    natsConnection_Destroy(connection);
    natsOptions_Destroy(options);
    nats_Close();
    free(body);
    return 0;
}
