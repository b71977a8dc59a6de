/// Every statement that runs while the store serves; a test checks the query plan of each, so that none scans a table.
enum Query: String, CaseIterable {
    case bounds = """
        SELECT c.id,
            (SELECT offset - count + 1 FROM events WHERE channel_id = c.id ORDER BY offset LIMIT 1),
            (SELECT max(offset) FROM events WHERE channel_id = c.id),
            (SELECT offset FROM snapshots WHERE channel_id = c.id)
        FROM channels c WHERE c.name = ?
        """

    /// As `bounds`, and whether the channel has webhooks or records; most have neither.
    case load = """
        SELECT c.id,
            (SELECT offset - count + 1 FROM events WHERE channel_id = c.id ORDER BY offset LIMIT 1),
            (SELECT max(offset) FROM events WHERE channel_id = c.id),
            (SELECT offset FROM snapshots WHERE channel_id = c.id),
            EXISTS (SELECT 1 FROM webhooks WHERE channel_id = c.id),
            EXISTS (SELECT 1 FROM records WHERE channel_id = c.id)
        FROM channels c WHERE c.name = ?
        """

    case channels = "SELECT name FROM channels WHERE name > ? ORDER BY name LIMIT ?"

    case snapshot = "SELECT offset, state FROM snapshots WHERE channel_id = ?"

    case events = """
        SELECT offset, at, count, envelope FROM events WHERE channel_id = ? AND offset > ? ORDER BY offset LIMIT ?
        """

    case ages = "SELECT offset, at FROM events WHERE channel_id = ? AND offset <= ? ORDER BY offset LIMIT ?"

    /// The record of a key; also one that was stored before records had owners.
    case record = """
        SELECT at, fingerprint, response, toast, outcome FROM records
        WHERE channel_id = ? AND owner IN (?, '') AND key = ? AND at >= ?
        """

    case records = "SELECT 1 FROM records WHERE channel_id = ? LIMIT ?"

    /// The toasts of records without an outcome.
    case openToasts = "SELECT toast FROM records WHERE channel_id = ? AND ended = 0 AND toast IS NOT NULL"

    case outcome = "SELECT outcome FROM records WHERE channel_id = ? AND ended = 1 AND toast = ? LIMIT 1"

    case noteOutcome = "UPDATE records SET ended = 1, outcome = ? WHERE channel_id = ? AND ended = 0 AND toast = ?"

    case recordCounts = "SELECT owner, count(*) FROM records WHERE channel_id = ? GROUP BY owner"

    /// A page of the channels of which events can be forgotten, with the numbers that decide it.
    case forgettable = """
        SELECT c.id, c.name, e.at, e.offset - e.count + 1, (SELECT max(offset) FROM events WHERE channel_id = c.id)
        FROM channels c
            JOIN snapshots s ON s.channel_id = c.id
            JOIN events e ON e.channel_id = c.id
                AND e.offset = (SELECT min(offset) FROM events WHERE channel_id = c.id)
        WHERE c.id > ? AND e.offset <= s.offset
        ORDER BY c.id LIMIT ?
        """

    /// A page of the channels with the instant of the last event and whether there are webhooks or records.
    case quiet = """
        SELECT c.name, (SELECT at FROM events WHERE channel_id = c.id ORDER BY offset DESC LIMIT 1),
            EXISTS (SELECT 1 FROM webhooks WHERE channel_id = c.id)
                OR EXISTS (SELECT 1 FROM records WHERE channel_id = c.id)
        FROM channels c WHERE c.name > ? ORDER BY c.name LIMIT ?
        """

    case removeSnapshot = "DELETE FROM snapshots WHERE channel_id = ?"

    case removeRecords = "DELETE FROM records WHERE channel_id = ?"

    case removeChannel = "DELETE FROM channels WHERE id = ?"

    case catalogs = "SELECT language, document FROM catalogs WHERE language > ? ORDER BY language"

    case replaceCatalog = "INSERT OR REPLACE INTO catalogs (language, document) VALUES (?, ?)"

    case forgetCatalog = "DELETE FROM catalogs WHERE language = ?"

    case document = "SELECT document FROM documents WHERE name = ?"

    case replaceDocument = "INSERT OR REPLACE INTO documents (name, document) VALUES (?, ?)"

    case insertChannel = "INSERT INTO channels (name) VALUES (?)"

    case insertEvents = "INSERT INTO events (channel_id, offset, at, count, envelope) VALUES (?, ?, ?, ?, ?)"

    /// Replaces a row by the rest of it when its first events are forgotten.
    case shortenEvents = "UPDATE events SET count = ?, envelope = ? WHERE channel_id = ? AND offset = ?"

    case insertProbe = """
        INSERT OR REPLACE INTO events (channel_id, offset, at, envelope) VALUES (?, 1, 0, zeroblob(?))
        """

    case replaceSnapshot = "INSERT OR REPLACE INTO snapshots (channel_id, offset, state) VALUES (?, ?, ?)"

    case replaceRecord = """
        INSERT OR REPLACE INTO records (channel_id, owner, key, at, fingerprint, response, toast, ended, outcome)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    case displaceRecord = """
        DELETE FROM records WHERE (channel_id, owner, key) IN
            (SELECT channel_id, owner, key FROM records WHERE channel_id = ? AND owner = ? ORDER BY at LIMIT 1)
        """

    case forgetEvents = "DELETE FROM events WHERE channel_id = ? AND offset <= ?"

    case forgetRecords = """
        DELETE FROM records WHERE (channel_id, owner, key) IN
            (SELECT channel_id, owner, key FROM records WHERE at < ? ORDER BY at LIMIT ?)
        """

    case webhooks = """
        SELECT id, url, events, secret, enabled, owner FROM webhooks WHERE channel_id = ? ORDER BY position
        """

    case replaceWebhook = """
        INSERT INTO webhooks (channel_id, position, url, events, secret, enabled, owner) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (channel_id, url) DO UPDATE SET position = excluded.position, events = excluded.events,
            secret = excluded.secret, enabled = excluded.enabled, owner = excluded.owner
        """

    case removeWebhook = "DELETE FROM webhooks WHERE id = ?"

    /// Adds nothing when the webhook does not exist or is switched off.
    case insertDelivery = """
        INSERT INTO deliveries (webhook_id, message, at, due, payload)
        SELECT id, ?, ?, ?, ? FROM webhooks WHERE channel_id = ? AND url = ? AND enabled
        """

    case displaceDeliveries = """
        DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries
            WHERE webhook_id = (SELECT id FROM webhooks WHERE channel_id = ? AND url = ?)
            ORDER BY id DESC LIMIT -1 OFFSET ?)
        """

    case waitingDeliveries = "SELECT message, at, due, tries FROM deliveries WHERE webhook_id = ? ORDER BY id LIMIT ?"

    case countDeliveries = "SELECT count(*) FROM deliveries WHERE webhook_id = ?"

    case webhook = """
        SELECT w.id FROM channels c CROSS JOIN webhooks w ON w.channel_id = c.id WHERE c.name = ? AND w.url = ?
        """

    case removeDeliveries = "DELETE FROM deliveries WHERE webhook_id = ?"

    case removeDelivery = "DELETE FROM deliveries WHERE id = ?"

    /// Delays all deliveries to the webhook of a delivery.
    case rest = """
        UPDATE deliveries SET due = ?
        WHERE webhook_id = (SELECT webhook_id FROM deliveries WHERE id = ?) AND due < ?
        """

    case moveDelivery = "UPDATE deliveries SET tries = tries + ?, due = ? WHERE id = ?"

    /// The next webhook with waiting deliveries.
    case waitingWebhook = """
        SELECT w.id, c.name, w.url, w.owner FROM webhooks w CROSS JOIN channels c ON c.id = w.channel_id
        WHERE w.id = (SELECT d.webhook_id FROM deliveries d
            WHERE d.webhook_id > ? AND EXISTS (SELECT 1 FROM webhooks WHERE id = d.webhook_id)
            ORDER BY d.webhook_id LIMIT 1)
        """

    /// The due deliveries to a webhook, longest due first; the cursor is read only as far as needed.
    case dueDeliveries = "SELECT id, due FROM deliveries WHERE webhook_id = ? AND due <= ? ORDER BY due"

    case nextDelivery = "SELECT min(due) FROM deliveries WHERE due > ?"

    case delivery = """
        SELECT w.url, w.secret, d.message, d.at, d.tries, d.payload
        FROM deliveries d CROSS JOIN webhooks w ON w.id = d.webhook_id
        WHERE d.id = ?
        """
}
