// SQLite writes the head and the page of each frame of its log by themselves: some twenty calls of the system for a commit that
// touches ten pages. Here they are gathered, and leave when the commit is whole.
//
// What SQLite relies on stays as it is. The frame that makes a transaction valid carries the size of the database; with the page
// behind it everything is written before xWrite returns, and whether that worked is its result. Until then nobody but the
// connection that writes looks at the frames, and before it reads, syncs or measures its log, what was gathered is written.
// <https://www.sqlite.org/walformat.html#the_wal_file_format>, <https://www.sqlite.org/vfs.html>
#include "write_ahead_log.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_HEAD = 24, CAPACITY = 128 * 1024, NOTHING = -1 };

// What follows the system's own file in memory.
struct gathering {
    const sqlite3_io_methods *system;
    sqlite3_io_methods methods;
    unsigned char *bytes;  // NULL until the first frame
    int count;
    sqlite3_int64 start;
    sqlite3_int64 lost;  // where that began which could not be written, or NOTHING
    bool awaits_page;    // a head was the last that came
    bool is_commit;      // and it ends its transaction
};

static sqlite3_vfs *system_vfs;
static sqlite3_vfs gathering_vfs;

static int system_size(void) { return (system_vfs->szOsFile + 15) & ~15; }

static struct gathering *gathering_of(sqlite3_file *file) {
    return (struct gathering *)((unsigned char *)file + system_size());
}

// Writes what was gathered. When that fails it is gone, as what an xWrite writes that fails: SQLite rolls back then, and
// its next transaction begins at the place of the one that failed.
static int flush(sqlite3_file *file) {
    struct gathering *gathering = gathering_of(file);
    int count = gathering->count;
    gathering->count = 0;
    if (count == 0) return SQLITE_OK;
    int result = gathering->system->xWrite(file, gathering->bytes, count, gathering->start);
    if (result != SQLITE_OK) gathering->lost = gathering->start;
    return result;
}

static bool has_room(struct gathering *gathering, int amount) {
    if (gathering->bytes == NULL) gathering->bytes = malloc(CAPACITY);
    return gathering->bytes != NULL && amount <= CAPACITY - gathering->count;
}

static int log_write(sqlite3_file *file, const void *bytes, int amount, sqlite3_int64 offset) {
    struct gathering *gathering = gathering_of(file);
    // Behind a hole nothing would ever be read again.
    if (gathering->lost != NOTHING && offset > gathering->lost) return SQLITE_IOERR_WRITE;
    gathering->lost = NOTHING;
    bool follows = gathering->count > 0 && offset == gathering->start + gathering->count;
    bool is_page = follows && gathering->awaits_page;
    bool is_head = !is_page && amount == FRAME_HEAD;
    if (!follows || !(is_page || is_head) || !has_room(gathering, amount)) {
        int result = flush(file);
        if (result != SQLITE_OK) return result;
        if (!is_head || !has_room(gathering, amount)) return gathering->system->xWrite(file, bytes, amount, offset);
        gathering->start = offset;
    }
    memcpy(gathering->bytes + gathering->count, bytes, (size_t)amount);
    gathering->count += amount;
    gathering->awaits_page = is_head;
    if (is_page) return gathering->is_commit ? flush(file) : SQLITE_OK;
    // The size of the database behind the commit; 0 in a frame that does not end its transaction.
    const unsigned char *size = (const unsigned char *)bytes + 4;
    gathering->is_commit = (size[0] | size[1] | size[2] | size[3]) != 0;
    return SQLITE_OK;
}

static int log_read(sqlite3_file *file, void *bytes, int amount, sqlite3_int64 offset) {
    int result = flush(file);
    return result != SQLITE_OK ? result : gathering_of(file)->system->xRead(file, bytes, amount, offset);
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int result = flush(file);
    return result != SQLITE_OK ? result : gathering_of(file)->system->xTruncate(file, size);
}

static int log_sync(sqlite3_file *file, int flags) {
    int result = flush(file);
    return result != SQLITE_OK ? result : gathering_of(file)->system->xSync(file, flags);
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size) {
    int result = flush(file);
    return result != SQLITE_OK ? result : gathering_of(file)->system->xFileSize(file, size);
}

// What is left belongs to a transaction that never ended.
static int log_close(sqlite3_file *file) {
    free(gathering_of(file)->bytes);
    return gathering_of(file)->system->xClose(file);
}

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *taken) {
    (void)vfs;
    int result = system_vfs->xOpen(system_vfs, name, file, flags, taken);
    if (result != SQLITE_OK || !(flags & SQLITE_OPEN_WAL)) return result;
    struct gathering *gathering = gathering_of(file);
    memset(gathering, 0, sizeof *gathering);
    gathering->system = file->pMethods;
    gathering->lost = NOTHING;
    gathering->methods = *file->pMethods;
    gathering->methods.xWrite = log_write;
    gathering->methods.xRead = log_read;
    gathering->methods.xTruncate = log_truncate;
    gathering->methods.xSync = log_sync;
    gathering->methods.xFileSize = log_size;
    gathering->methods.xClose = log_close;
    file->pMethods = &gathering->methods;
    return SQLITE_OK;
}

int write_ahead_log_gather(void) {
    system_vfs = sqlite3_vfs_find(NULL);
    if (system_vfs == NULL) return SQLITE_ERROR;
    gathering_vfs = *system_vfs;
    gathering_vfs.zName = "gathering";
    gathering_vfs.szOsFile = system_size() + (int)sizeof(struct gathering);
    gathering_vfs.pNext = NULL;
    gathering_vfs.xOpen = open_file;
    return sqlite3_vfs_register(&gathering_vfs, 1);
}
