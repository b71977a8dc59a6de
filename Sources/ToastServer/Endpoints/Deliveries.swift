import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// The most deliveries in one answer.
    private static let deliveriesOfAnswer = 100

    /// Answers `GET /v1/channels/{channel}/webhooks/{webhook}/deliveries`.
    func listDeliveries(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        let name = try request.channel()
        let id = request.parameters["webhook"] ?? ""
        let webhooks = try await self.configuration(of: name).webhooks
        guard let webhook = webhooks.first(where: { $0.id == id }) else { throw Problem(.webhookNotFound) }
        let waiting: WaitingDeliveries
        do throws(StoreError) {
            let limit = Self.deliveriesOfAnswer
            waiting = try await self.hub.store.waitingDeliveries(for: webhook.url, of: name, limit: limit)
        } catch {
            throw Problem(from: error)
        }
        let last = self.hub.deliveryAttempts.last(for: webhook.url, of: name)
        return .object { writer in
            writer.member("webhook", webhook.id)
            writer.member("url", webhook.url)
            writer.member("enabled", webhook.isEnabled)
            if let last {
                writer.object("lastAttempt") { writer in
                    writer.member("at", last.at)
                    writer.member("outcome", last.outcome.rawValue)
                    writer.member("status", last.status)
                }
            }
            writer.member("waitingCount", waiting.count)
            writer.array("waiting") { writer in
                for delivery in waiting.first {
                    writer.object { writer in
                        writer.member("id", delivery.message)
                        writer.member("at", delivery.at)
                        writer.member("due", delivery.due)
                        writer.member("attemptCount", delivery.tries)
                    }
                }
            }
        }
    }
}
