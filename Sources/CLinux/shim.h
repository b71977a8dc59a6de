// The parts of Linux that Swift's Glibc module leaves out.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // for dl_iterate_phdr, where Swift has not said so already
#endif
#include <link.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>

// As sys/random.h has it, which would also make this module the home of struct timespec, away from Swift's Glibc.
extern ssize_t getrandom(void *bytes, size_t size, unsigned int flags);

// prctl is variadic, so Swift cannot call it.
static inline int clinux_name_this_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

// Unmaps the parts of an object that are never written: its code and its constants. They stay in the page cache, from
// where the next use maps them again.
static inline int clinux_release_code_of(struct dl_phdr_info *info, size_t size, void *page_size) {
    (void)size;
    uintptr_t page = *(uintptr_t *)page_size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W)) continue;
        uintptr_t start = (info->dlpi_addr + part->p_vaddr) & ~(page - 1);
        uintptr_t end = info->dlpi_addr + part->p_vaddr + part->p_memsz;
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

// The signature of dl_iterate_phdr takes a callback on pointers, of which Swift should see none.
static inline void clinux_release_code(uintptr_t page_size) {
    dl_iterate_phdr(clinux_release_code_of, &page_size);
}
