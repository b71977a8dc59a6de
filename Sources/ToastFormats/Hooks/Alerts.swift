import ToastCore

/// The webhooks of Prometheus' Alertmanager (version 4) and of Grafana's alerting, which are much alike.
///
/// A group of alerts is one toast, which turns from "firing" to "resolved".
enum Alerts {
    static func toast(of input: FormatInput, isGrafana: Bool) throws(FormatError) -> ToastMapping {
        let group = try input.object()
        guard let status = group.text("status"), status == "firing" || status == "resolved" else {
            throw .invalid("/status", "\"firing\" or \"resolved\" is expected.")
        }
        let isResolved = status == "resolved"
        let all = try Self.alerts(of: group)
        let firing = all.filter { $0.text("status") != "resolved" }
        let alerts = isResolved || firing.isEmpty ? all : firing
        var toast = ToastMapping(input.limits)
        let role = isResolved ? Role.success : Self.role(of: group, alerts)
        toast.role(role)
        if role == .error { toast.set("duration", "indefinite") }
        let message = Self.message(of: group, alerts) ?? (isGrafana ? group.text("message") : nil)
        let title = (isGrafana ? group.text("title") : nil) ?? Self.title(of: group, alerts)
        toast.title(title ?? (message == nil && !all.isEmpty ? "Alert" : nil))
        toast.message(message)
        if all.isEmpty { toast.drop("/alerts", "There are no alerts in it; only the group is shown.") }
        if let first = alerts.first {
            Self.addLinks(of: first, in: group, to: &toast, isGrafana: isGrafana)
        } else {
            toast.action("Open", group.text("externalURL"), at: "/externalURL", dismisses: false)
        }
        guard let key = group.text("groupKey") else { return toast }
        toast.replace(key.sha256)
        let fingerprints = alerts.compactMap { $0.text("fingerprint")?.cut(to: 64) }.prefix(100).map(JSON.string)
        toast.set("data", ["groupKey": .string(key.cut(to: 1024)), "fingerprints": .array(fingerprints)])
        return toast
    }

    private static func alerts(of group: JSONObject) throws(FormatError) -> [JSONObject] {
        let value = group["alerts"] ?? .null
        guard value != .null else { return [] }
        guard let values = value.array else { throw .invalid("/alerts", "A list of alerts is expected.") }
        return try values.enumerated().map { index, value throws(FormatError) in
            guard let alert = value.object else { throw .invalid("/alerts/\(index)", "An object is expected.") }
            return alert
        }
    }

    private static func role(of group: JSONObject, _ alerts: [JSONObject]) -> Role {
        let common = group["commonLabels"]?["severity"]?.string
        let severities = common.map { [$0] } ?? alerts.map { $0["labels"]?["severity"]?.string ?? "" }
        let roles = severities.map { $0.isEmpty ? .warning : Role(word: $0) ?? .info }
        return roles.contains(.error) ? .error : roles.isEmpty || roles.contains(.warning) ? .warning : .info
    }

    private static func title(of group: JSONObject, _ alerts: [JSONObject]) -> String? {
        let names = group["groupLabels"]?.object?.compactMap(\.value.string).joined(separator: " ")
        let name = Self.commonName(of: group) ?? (names == "" ? nil : names) ?? group.text("receiver")
        let truncated = min(max(group["truncatedAlerts"]?.integer ?? 0, 0), 1_000_000)
        let count = alerts.count + Int(truncated)
        guard let name, !name.isEmpty else { return count > 1 ? "\(count) alerts" : nil }
        return count > 1 ? "\(name) (\(count))" : name
    }

    /// The name that all alerts of a group have.
    private static func commonName(of group: JSONObject) -> String? { group["commonLabels"]?["alertname"]?.string }

    /// The distinct texts of the alerts, at most five, a line each; with the alert's name when they have no common one.
    ///
    /// Without any text, the common annotation or the common labels.
    private static func message(of group: JSONObject, _ alerts: [JSONObject]) -> String? {
        var lines: [String] = []
        var known: Set<[UInt8]> = []
        let isNamed = Self.commonName(of: group) == nil
        for alert in alerts {
            let name = isNamed ? alert["labels"]?["alertname"]?.string : nil
            let parts = [name, Self.text(annotations: alert["annotations"], labels: alert["labels"])].compactMap(\.self)
            let text = parts.joined(separator: ": ")
            guard !text.isEmpty, known.insert(Array(text.utf8)).inserted else { continue }
            lines.append(text)
        }
        let shown = lines.prefix(5) + (lines.count > 5 ? ["… and \(lines.count - 5) more"] : [])
        if !shown.isEmpty { return shown.joined(separator: "\n") }
        return Self.text(annotations: group["commonAnnotations"], labels: group["commonLabels"])
    }

    /// An annotation, else the labels other than the alert's name and severity.
    private static func text(annotations: JSON?, labels: JSON?) -> String? {
        let annotations = annotations?.object ?? [:]
        let names = ["summary", "message", "description"]
        if let text = names.lazy.compactMap(annotations.text).first { return text }
        let others = (labels?.object ?? [:]).filter { $0.key != "alertname" && $0.key != "severity" }
        let texts = others.compactMap { name, value in value.string.map { "\(name)=\($0)" } }
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }

    private static func addLinks(
        of alert: JSONObject,
        in group: JSONObject,
        to toast: inout ToastMapping,
        isGrafana: Bool
    ) {
        let names = isGrafana ? ["panelURL", "dashboardURL", "generatorURL"] : ["generatorURL"]
        if let name = names.first(where: { alert.text($0) != nil }) {
            toast.action("Open", alert.text(name), at: "/alerts/0/\(name)", dismisses: false)
        } else {
            toast.action("Open", group.text("externalURL"), at: "/externalURL", dismisses: false)
        }
        guard isGrafana else { return }
        toast.action("Silence", alert.text("silenceURL"), at: "/alerts/0/silenceURL", dismisses: false)
        toast.image(alert.text("imageURL"), at: "/alerts/0/imageURL")
    }
}
