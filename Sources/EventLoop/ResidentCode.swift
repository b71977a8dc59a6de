import CResidentCode

/// The code of the program and its libraries, as far as it is mapped into memory.
public enum ResidentCode {
    /// Unmaps all code that has run so far; the next use maps it again from the page cache.
    ///
    /// Call it once after the start: two thirds of what a fresh process has in memory is code that only the start
    /// needed, such as the relocation of libraries and the reading of options.
    public static func release() {
        resident_code_release()
    }
}

/// The heap of the C library, which Swift allocates from.
public enum Heap {
    /// Returns free memory to the system by malloc_trim(3); allocations wait meanwhile.
    public static func trim() {
        resident_heap_release()
    }

    /// How much of it is in use, in bytes: mallinfo2(3), which walks over all free blocks; allocations wait meanwhile.
    public static var usedBytes: Int { resident_heap_used() }
}
