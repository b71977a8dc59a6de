import CResidentCode

/// The code of the program and its libraries, as far as it is mapped into memory.
public enum ResidentCode {
    /// Lets go of all code that has run so far; what is needed again comes back from the page cache by itself.
    ///
    /// To be called once when everything is up: two thirds of what a fresh process has in memory is code that only its
    /// start needed, such as the relocation of libraries and the reading of options.
    public static func release() {
        resident_code_release()
    }
}

/// The memory that the process took from the system for what it keeps.
public enum Heap {
    /// Gives back what is free in it: malloc_trim(3), for as long as which whoever wants memory waits.
    public static func giveBack() {
        resident_heap_release()
    }

    /// How much of it is in use, in bytes: mallinfo2(3), which walks over all that is free and takes as long.
    public static var usedBytes: Int { resident_heap_used() }
}
