/// Who waits to read and how many readers are at work: the decisions of a ``Reader``, without its lock and its threads.
///
/// What waits when a reader comes shares its transaction: to begin one, and to wake a thread for it, costs more than to read
/// a channel. While readers are at work more may be called, so that nobody waits long behind one who reads much.
struct ReadBatcherState<OutgoingRequest> {
    /// The most that one transaction does, so that none holds back a checkpoint for long.
    static var share: Int { 32 }

    private let readers: Int
    private var waiting: [OutgoingRequest] = []
    private var atWork = 0
    /// Whether a reader was called that has not come yet: what comes until then is for it too.
    private var isCalled = false

    /// A room for a number of readers.
    init(readers: Int) {
        self.readers = readers
    }

    /// Leaves a letter; whether a reader has to be called.
    mutating func add(_ letter: OutgoingRequest) -> Bool {
        self.waiting.append(letter)
        return self.call()
    }

    /// A reader that was called is there.
    mutating func enter() {
        self.isCalled = false
        self.atWork += 1
    }

    /// What a reader does next, oldest first, and whether it has to call another; `nil` when it goes.
    mutating func take() -> (letters: [OutgoingRequest], callsAnother: Bool)? {
        guard !self.waiting.isEmpty else {
            self.atWork -= 1
            return nil
        }
        let letters = Array(self.waiting.prefix(Self.share))
        self.waiting.removeFirst(letters.count)
        return (letters, self.call())
    }

    private mutating func call() -> Bool {
        guard !self.isCalled, !self.waiting.isEmpty, self.atWork < self.readers else { return false }
        self.isCalled = true
        return true
    }
}
