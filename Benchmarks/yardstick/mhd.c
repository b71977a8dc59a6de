// The HTTP library's part of a publish: libmicrohttpd reads each body and answers it with a fixed toast. No JSON, no
// engine, no store.
#include "mhd_server.h"

static size_t received;

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                                  const char *version, const char *body, size_t *size, void **seen) {
    (void)context, (void)url, (void)method, (void)version, (void)body;
    if (!*seen) {  // the head only
        *seen = &received;
        return MHD_YES;
    }
    if (*size > 0) {
        received += *size;
        *size = 0;
        return MHD_YES;
    }
    return MHD_queue_response(connection, MHD_HTTP_CREATED, answer);
}

int main(void) { return serve(0, on_request, NULL); }
