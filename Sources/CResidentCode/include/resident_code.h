// A target of its own, and a header that includes nothing: <link.h> in a module that Swift imports would claim types that
// belong to Glibc's.
#pragma once

#include <stddef.h>

// Unmaps those parts of the program and its libraries that are never written: code and constants. They stay in the page
// cache, from where the next use maps them again.
void resident_code_release(void);

// Gives freed memory of the heap back to the system; Swift's Glibc module leaves <malloc.h> out.
void resident_heap_release(void);

// How much of the heap is in use, in bytes.
size_t resident_heap_used(void);
