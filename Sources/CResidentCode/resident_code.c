#define _GNU_SOURCE
#include "resident_code.h"

#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static int release(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    uintptr_t page = *(uintptr_t *)context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W)) continue;
        uintptr_t start = (info->dlpi_addr + part->p_vaddr) & ~(page - 1);
        uintptr_t end = info->dlpi_addr + part->p_vaddr + part->p_memsz;
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void resident_code_release(void) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    dl_iterate_phdr(release, &page);
}

void resident_heap_release(void) { malloc_trim(0); }

size_t resident_heap_used(void) {
    struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}
