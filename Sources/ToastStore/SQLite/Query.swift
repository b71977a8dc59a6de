/// Every statement that runs while the store serves; a test asks SQLite for each one's plan, so none ever scans.
enum Query: String, CaseIterable {
    case standing = """
        SELECT c.id,
            (SELECT min(offset) FROM events WHERE channel_id = c.id),
            (SELECT max(offset) FROM events WHERE channel_id = c.id),
            (SELECT offset FROM snapshots WHERE channel_id = c.id)
        FROM channels c WHERE c.name = ?
        """

    case channels = "SELECT name FROM channels WHERE name > ? ORDER BY name LIMIT ?"

    case snapshot = "SELECT offset, state FROM snapshots WHERE channel_id = ?"

    case events = """
        SELECT offset, at, envelope FROM events WHERE channel_id = ? AND offset > ? ORDER BY offset LIMIT ?
        """

    case ages = "SELECT offset, at FROM events WHERE channel_id = ? AND offset <= ? ORDER BY offset LIMIT ?"

    case record = "SELECT at, fingerprint, response FROM records WHERE channel_id = ? AND key = ? AND at >= ?"

    /// Pages through the channels, each with what tells whether anything of it can be forgotten.
    case forgettable = """
        SELECT c.id, c.name, e.at, e.offset, (SELECT max(offset) FROM events WHERE channel_id = c.id)
        FROM channels c
            JOIN snapshots s ON s.channel_id = c.id
            JOIN events e ON e.channel_id = c.id
                AND e.offset = (SELECT min(offset) FROM events WHERE channel_id = c.id)
        WHERE c.id > ? AND e.offset <= s.offset
        ORDER BY c.id LIMIT ?
        """

    case catalogs = "SELECT language, document FROM catalogs WHERE language > ? ORDER BY language"

    case replaceCatalog = "INSERT OR REPLACE INTO catalogs (language, document) VALUES (?, ?)"

    case forgetCatalog = "DELETE FROM catalogs WHERE language = ?"

    case insertChannel = "INSERT INTO channels (name) VALUES (?)"

    case insertEvent = "INSERT INTO events (channel_id, offset, at, envelope) VALUES (?, ?, ?, ?)"

    case replaceSnapshot = "INSERT OR REPLACE INTO snapshots (channel_id, offset, state) VALUES (?, ?, ?)"

    case replaceRecord = """
        INSERT OR REPLACE INTO records (channel_id, key, at, fingerprint, response) VALUES (?, ?, ?, ?, ?)
        """

    case forgetEvents = "DELETE FROM events WHERE channel_id = ? AND offset <= ?"

    case forgetRecords = """
        DELETE FROM records WHERE (channel_id, key) IN
            (SELECT channel_id, key FROM records WHERE at < ? ORDER BY at LIMIT ?)
        """
}
