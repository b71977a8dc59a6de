// A target of its own, whose header does not include <link.h>: a module that Swift imports would then define types of
// Swift's Glibc.
#pragma once

#include <stddef.h>

// Unmaps the parts of the program and its libraries that are never written: code and constants. They stay in the page
// cache; the next use maps them again.
void resident_code_release(void);

// Returns free memory of the heap to the system; Swift's Glibc module does not include <malloc.h>.
void resident_heap_release(void);

// How much of the heap is in use, in bytes.
size_t resident_heap_used(void);
