import ToastCore

extension Channel {
    /// Adds a listener; the opening tells it to begin with a snapshot, or to read missed events from the log after an
    /// offset.
    @inline(never)
    func attend(_ attendance: Attendance) async throws(ChannelError) -> Opening {
        let cursor = try await self.renewed(attendance.cursor)
        if !self.isLoaded {
            try await self.load()
            if attendance.hasLeft() { throw .listenerLeft }
        }
        guard self.serves else { throw .store(self.lostChannel) }
        self.runOverdue()
        self.announceOwedDefaults()
        // No suspension until the listener is counted, so that no event is lost. The snapshot shows the state before
        // the listener is counted; from then on it receives events. Toasts that are presented because of its arrival
        // reach it as events.
        let place = cursor.flatMap(self.place)
        let opening =
            if let place, !self.mayKnowOtherDefaults {
                self.resumption(after: place)
            } else {
                self.snapshot(
                    isReset: place == nil && cursor?.offset(in: self.name) != nil,
                    in: attendance.language
                )
            }
        switch attendance.listeners {
        case .one(let listener): self.listeners.count(listener, of: attendance.observer, by: 1)
        case .all(let counts):
            // Some may have left while the channel was being loaded.
            let current = attendance.observer.current(counts, in: self.name)
            if let current { self.listeners.replace(current, of: attendance.observer) }
        }
        self.updateAudience()
        do throws(ChannelError) {
            if !self.isStored { try await self.awaitStorage() }
        } catch {
            // Counts set by `.all` stay: the process that sent them renews or removes them itself.
            if case .one(let listener) = attendance.listeners { self.leave(attendance.observer, listener) }
            throw error
        }
        // Events stored meanwhile are in the log, too.
        return opening.snapshot == nil ? self.resumption(after: opening.start) : opening
    }

    /// Writes new defaults to the log, because a listener that resumes learns of them only by an event.
    ///
    /// It writes nothing in a channel without events: to look at a channel must not store it. Nor does it while the
    /// store fails, because the listener would get the store's error.
    func announceOwedDefaults() {
        guard self.engine.owesConfiguration, self.engine.hasEvents, self.context.store.failure == nil else { return }
        self.announceDefaults()
    }

    /// Whether a listener that resumes may know other defaults than those that apply.
    ///
    /// Only in a channel without events, whose listeners know the defaults only from a snapshot.
    private var mayKnowOtherDefaults: Bool {
        guard !self.engine.hasEvents else { return false }
        return self.shownDefaults.map { $0 != self.engine.settings.defaults } ?? self.engine.owesConfiguration
    }

    /// Removes a listener.
    func leave(_ observer: any ChannelObserver, _ listener: ChannelListener) {
        self.listeners.count(listener, of: observer, by: -1)
        if self.isLoaded { self.updateAudience() }
    }

    /// Passes the audience to the engine if it has changed.
    func updateAudience() {
        if self.listeners.audience != self.engine.audience { self.applyAudience() }
    }

    func snapshot(isReset: Bool, in language: LanguageTag?) -> Opening {
        var writer = JSONWriter()
        let (now, offset) = (self.now, self.engine.offset)
        if !self.engine.hasEvents { self.shownDefaults = self.engine.settings.defaults }
        // The engine's lexicon is that of its last command, and may be outdated.
        if language != nil { self.engine.lexicon = self.context.catalogs.lexicon }
        self.engine.writeSnapshotFrame(to: &writer, at: now, isReset: isReset, in: language)
        return Opening(snapshot: writer.bytes, isReset: isReset, start: offset, stored: offset, instant: now)
    }

    private func resumption(after start: Offset) -> Opening {
        Opening(snapshot: nil, start: start, stored: self.commits.committed, instant: self.now)
    }

    /// The offset of a cursor in this channel; nil when the cursor is of another epoch, or in the future.
    private func place(of cursor: Cursor) -> Offset? {
        guard cursor.epoch == self.context.epoch, let offset = cursor.offset(in: self.name),
            offset <= self.engine.offset
        else { return nil }
        return offset
    }

    /// The same position in this epoch, for a cursor of another one; the unchanged cursor when it is of this epoch, or
    /// when the position is unknown.
    ///
    /// If the store still has the event of the cursor, it has all events before it, too: a power failure and a restored
    /// backup remove only the end of a channel. The listener has then missed only the events after that one.
    private func renewed(_ cursor: Cursor?) async throws(ChannelError) -> Cursor? {
        guard let cursor, cursor.epoch != self.context.epoch, let offset = cursor.offset(in: self.name),
            offset > .origin
        else { return cursor }
        let page = try await ChannelError.rethrowing(
            await self.context.store.events(of: self.name, after: offset.previous, limit: 1)
        )
        guard page.events.first?.cursor == Cursor(epoch: cursor.epoch, offset: offset) else { return cursor }
        return Cursor(epoch: self.context.epoch, offset: offset)
    }
}
