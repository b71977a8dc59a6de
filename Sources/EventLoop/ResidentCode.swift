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
