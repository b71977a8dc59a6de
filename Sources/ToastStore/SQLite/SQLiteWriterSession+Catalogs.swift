import Foundation
import GRDB
import ToastCore

extension SQLiteWriterSession {
    /// Replaces or forgets catalogs; so rare that the statements are not kept ready.
    static func change(_ catalogs: [CatalogChange], in database: Database) throws -> Outcome {
        for change in catalogs {
            let language = change.language.rawValue
            if let document = change.document {
                try database.execute(sql: Query.replaceCatalog.rawValue, arguments: [language, Data(document)])
            } else {
                try database.execute(sql: Query.forgetCatalog.rawValue, arguments: [language])
            }
        }
        return .success(catalogs.count)
    }
}
