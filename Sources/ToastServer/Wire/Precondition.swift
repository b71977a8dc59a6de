import MicroHTTP
import ToastHub

extension Precondition {
    /// The precondition of a request.
    init(_ request: Request) {
        let hasIfMatch = request.headers.count(of: "if-match") > 0
        self.init(
            ifMatch: hasIfMatch ? request.headers.list("if-match") : nil,
            ifNoneMatch: request.headers.list("if-none-match")
        )
    }

    /// The detail of the problem when the precondition does not hold.
    func problemDetail(about what: String) -> String {
        if self.ifNoneMatch.isEmpty { return "\(what) not what If-Match names." }
        return self.ifMatch == nil
            ? "\(what) what If-None-Match rules out." : "\(what) not what If-Match and If-None-Match demand."
    }
}
