import Testing
@testable import ToastHub

@testable import ToastCluster
@testable import ToastCore

@Suite struct ChannelReplyTests {
    private func again(_ reply: ChannelReply) throws -> ChannelReply {
        guard case .reply(let again) = try ClusterMessage.decode(reply.encoded()) else {
            throw MessageError.malformed("no reply")
        }
        return again
    }

    private func answer(_ generator: inout Generator) throws -> ChannelAnswer {
        switch generator.number(0...11) {
        case 0: .toast(try generator.toast())
        case 1: .toasts(try generator.toasts())
        case 2: .found(try generator.maybe { try $0.toast() })
        case 3: .listing(try self.listing(&generator))
        case 4: .count(generator.number(0...10_000))
        case 5: .hold(HoldAnswer(remaining: generator.maybe { $0.interval() }, lease: generator.interval()))
        case 6: .configuration(try generator.configuration())
        case 7: .summary(try self.summary(&generator))
        case 8: .lives(generator.chance(50))
        case 9: .opening(self.opening(&generator))
        case 10: .repeated(try self.repetition(&generator))
        default: .done
        }
    }

    private func summary(_ generator: inout Generator) throws -> ChannelSummary {
        let transports = Transport.allCases.filter { _ in generator.chance(50) }
        return ChannelSummary(
            settings: try generator.settings(),
            presented: generator.number(0...256),
            queued: generator.number(0...10_000),
            audience: Dictionary(uniqueKeysWithValues: transports.map { ($0, generator.number(1...1_000_000)) }),
            cursor: try generator.cursor()
        )
    }

    private func listing(_ generator: inout Generator) throws -> Listing {
        let toasts = try generator.toasts()
        return Listing(
            toasts: toasts,
            cursor: try generator.cursor(),
            hasMore: generator.chance(50),
            publishedAt: generator.chance(50) ? toasts.map { _ in generator.instant() } : []
        )
    }

    private func opening(_ generator: inout Generator) -> Opening {
        Opening(
            snapshot: generator.maybe { $0.bytes() },
            start: generator.offset(),
            stored: generator.offset(),
            instant: generator.instant()
        )
    }

    private func repetition(_ generator: inout Generator) throws -> Repetition {
        Repetition(
            answer: generator.bytes(),
            toast: generator.maybe { $0.id() },
            outcome: try generator.maybe { try $0.toast() }
        )
    }

    @Test(arguments: 0..<40 as Range<UInt64>) func everyAnswerArrivesAsItWas(seed: UInt64) throws {
        var generator = Generator(seed: seed)
        for _ in 0..<20 {
            let reply = ChannelReply.answer(try self.answer(&generator))
            #expect(try exact(self.again(reply)) == exact(reply))
        }
        guard case .notOwner = try self.again(.notOwner) else {
            Issue.record("This is another message.")
            return
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>) func everyPublicationArrivesAsItsSenderNeedsIt(seed: UInt64) throws {
        var generator = Generator(seed: seed)
        for publication in try generator.engine().publications {
            let reply = try self.again(.answer(.published(publication)))
            guard case .answer(.published(let again)) = reply else {
                Issue.record("This is another message.")
                return
            }
            #expect(exact(again.toasts) == exact(publication.toasts))
            #expect(again.known == publication.known)
            #expect(again.isNew == publication.isNew)
            #expect(again.isOnlyEnqueued == publication.isOnlyEnqueued)
            #expect(Array(again.stored) == Array(publication.stored))
            #expect(again.stored.map(\.enqueuedToast) == publication.stored.map(\.enqueuedToast))
            #expect(exact(again.events) == exact(publication.isOnlyEnqueued ? publication.events : []))
        }
    }

    private static func errors(_ generator: inout Generator) -> [ChannelError] {
        let engine: [EngineError] = [
            .queueFull(capacity: generator.number(1...10_000)), .batchTooLong(capacity: generator.number(1...100)),
            .toastAlreadyPresented(generator.id()), .toastNotFound,
            .actionNotFound, .toastDismissed, .toastNotPresented, .revisionMismatch(current: generator.number(0...99)),
            .invalid(generator.error()),
        ]
        let store: [StoreError] = [
            .conflict(current: generator.offset()), .undecided(generator.text()), .unavailable(generator.text()),
            .corrupt(generator.text()), .tooManyChannels,
        ]
        return engine.map(ChannelError.refused) + store.map(ChannelError.store)
            + [
                .settingsChanged, .invalidSettings(generator.error()), .keyReused, .tooManyChannels, .outOfMemory,
                .tooManyKeys, .keyInUse,
            ]
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func everyErrorArrivesAsItWas(seed: UInt64) throws {
        var generator = Generator(seed: seed)
        for error in Self.errors(&generator) {
            guard case .failure(let again) = try self.again(.failure(error)) else {
                Issue.record("This is another message.")
                return
            }
            #expect(again == error)
            #expect(exact(again) == exact(error))
        }
    }

    @Test func aSecretThatTheOwnerDrewIsShownToItsSender() throws {
        var generator = Generator(seed: 3)
        var configuration = try generator.configuration()
        while configuration.fresh.isEmpty { configuration = try generator.configuration() }
        guard case .answer(.configuration(let again)) = try self.again(.answer(.configuration(configuration))) else {
            Issue.record("This is another message.")
            return
        }
        #expect(again.encoded == configuration.encoded)
        #expect(again.entityTag == configuration.entityTag)
    }
}
