// What the two yardsticks on libmicrohttpd share: the daemon in external epoll mode, its loop, and one fixed answer.
#pragma once
#include <microhttpd.h>
#include <stdbool.h>

// The response 201 with a toast. It exists from before the first request until the loop has ended.
extern struct MHD_Response *answer;

// Listens on a free port of 127.0.0.1, prints the address on standard error, and ends when standard input ends. Calls
// `end_of_turn`, if it is not NULL, after the requests of each turn of epoll; that function returns whether it resumed
// connections. Returns the program's exit status.
int serve(unsigned flags, MHD_AccessHandlerCallback on_request, bool (*end_of_turn)(void));
