// One `static inline` for each call that Swift cannot make itself.
#pragma once
#include <zlib.h>

// deflateInit2 is a macro. 15 + 16: the largest window, with a gzip header and trailer (zlib.h).
static inline int czlib_begin_gzip(z_stream *stream) {
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}
