// One `static inline` for each call that Swift cannot make itself; nothing else.
#pragma once
#include <microhttpd.h>
