// A target of its own, because SQLite's interface to the system is a table of C functions.
#pragma once

// From now on the frames of a commit go to SQLite's log in one piece, in every connection that is opened afterwards; to be
// called once. A result code of SQLite: 0 is success.
int write_ahead_log_gather(void);
