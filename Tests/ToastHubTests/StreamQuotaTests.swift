import Metrics
import TestSupport
import Testing

@testable import ToastHub

@Suite struct StreamQuotaTests {
    @Test func aStreamThatAnyQuotaRefusesIsCounted() async throws {
        let lab = try await TestHub()
        var quotas = StreamQuotas()
        quotas.perChannel = 1
        lab.hub.streamQuotas.adopt(quotas)
        let listener = try await lab.listen(to: ["ops"])
        await #expect(throws: StreamError.tooManyStreamsOfChannel) { try await lab.listen(to: ["ops"]) }
        #expect(lab.fanouts[0].meter.refused.value == 1)
        // This quota is checked before the stream is made, the channel's after that.
        quotas.inAll = 1
        lab.hub.streamQuotas.adopt(quotas)
        await #expect(throws: StreamError.tooManyStreams) { try await lab.listen(to: ["dev"]) }
        #expect(lab.fanouts[0].meter.refused.value == 2)
        withExtendedLifetime(listener) {}
    }
}
