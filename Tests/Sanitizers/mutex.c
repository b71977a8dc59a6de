// What ThreadSanitizer cannot see of Swift's Mutex.
//
// Whoever finds a Mutex free takes it by an atomic exchange that the compiler puts into our code, where ThreadSanitizer
// sees it. Whoever has to wait calls _lockSlow of libswiftSynchronization.so, where it sees neither the exchange nor
// the futex (FUTEX_LOCK_PI), and the thread that wakes the waiter calls _unlockSlow of the same library: a Mutex with
// two threads at it looks like no lock at all. These functions stand before those of the library, call them, and tell
// the sanitizer what they did: `make sanitize` links them into what it runs under ThreadSanitizer, and nothing else.
//
// Nothing is hidden by this: the order that they tell of is the one that the lock made.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void Lock(uint32_t thread, SELF void *mutex);
typedef SWIFT bool TryLock(SELF void *mutex);
typedef SWIFT void Unlock(SELF void *mutex);

Lock lock_slow __asm__(LOCK_SLOW);
TryLock try_lock_slow __asm__(TRY_LOCK_SLOW);
Unlock unlock_slow __asm__(UNLOCK_SLOW);

static Lock *lock;
static TryLock *try_lock;
static Unlock *unlock;

static void *find(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    // Another Swift may call them otherwise.
    if (!function) abort();
    return function;
}

__attribute__((constructor)) static void find_all(void) {
    lock = (Lock *)find(LOCK_SLOW);
    try_lock = (TryLock *)find(TRY_LOCK_SLOW);
    unlock = (Unlock *)find(UNLOCK_SLOW);
}

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
    lock(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT bool try_lock_slow(SELF void *mutex) {
    bool is_locked = try_lock(mutex);
    if (is_locked) __tsan_acquire(mutex);
    return is_locked;
}

SWIFT void unlock_slow(SELF void *mutex) {
    __tsan_release(mutex);
    unlock(mutex);
}
