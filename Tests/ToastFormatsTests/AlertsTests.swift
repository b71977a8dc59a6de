import Testing
import ToastCore
import ToastFormats

@Suite struct AlertsTests {
    private func group(_ status: String, severity: String? = "critical", more: String = "") -> String {
        let label = severity.map { #""severity": "\#($0)", "# } ?? ""
        return """
            {"version": "4", "groupKey": "{}:{alertname=\\"Disk\\"}", "status": "\(status)", "receiver": "toastd",
             "groupLabels": {"alertname": "Disk"}, "commonLabels": {"alertname": "Disk", \(label)"job": "node"},
             "commonAnnotations": {}, "externalURL": "http://am.example:9093", "truncatedAlerts": 0,
             "alerts": [{"status": "\(status)", "labels": {"alertname": "Disk"}, "annotations": {"summary": "9 % left"},
               "generatorURL": "http://prometheus.example/graph?g0.expr=1", "fingerprint": "f1"}\(more)]}
            """
    }

    @Test func whatFiresBecomesWhatIsResolved() throws {
        let firing = try HookFormat.alertmanager.toast(self.group("firing"))
        #expect((firing.title, firing.message) == ("Disk", "9 % left"))
        #expect(firing.draft.role == .error)
        #expect(firing.draft.duration == .indefinite)
        #expect(firing.actions == ["Open http://prometheus.example/graph?g0.expr=1"])
        #expect(firing.draft.replacesPresent)
        #expect(firing.draft.reuseIdentifier?.count == 64)
        #expect(firing.draft.details.data?["fingerprints"] == ["f1"])
        let resolved = try HookFormat.alertmanager.toast(self.group("resolved"))
        #expect(resolved.draft.role == .success)
        #expect(resolved.draft.duration == nil)
        #expect(resolved.draft.reuseIdentifier == firing.draft.reuseIdentifier)
    }

    @Test(arguments: [
        ("critical" as String?, Role.error), ("page", .error), ("warning", .warning), (nil, .warning), ("info", .info),
        ("none", .info), ("ERROR", .error), ("fatal", .error), ("warn", .warning),
    ])
    func theSeverityIsTheRole(_ severity: String?, _ role: Role) throws {
        #expect(try HookFormat.alertmanager.toast(self.group("firing", severity: severity)).draft.role == role)
    }

    @Test func severalAlertsAreCountedAndEachTextIsShownOnce() throws {
        let more = """
            , {"status": "firing", "labels": {}, "annotations": {"message": "3 % left"}}
            , {"status": "firing", "labels": {}, "annotations": {"description": "3 % left"}}
            , {"status": "firing", "labels": {}, "annotations": {"summary": "\u{E9}"}}
            , {"status": "firing", "labels": {}, "annotations": {"summary": "e\u{301}"}}
            , {"status": "resolved", "labels": {}, "annotations": {"summary": "not shown"}}
            """
        let toast = try HookFormat.alertmanager.toast(self.group("firing", more: more))
        #expect(toast.title == "Disk (5)")
        let shown = "9 % left\n3 % left\n\u{E9}\ne\u{301}"
        #expect(toast.message.map { Array($0.utf8) } == Array(shown.utf8))
    }

    @Test func withoutAnnotationsTheLabelsAreShown() throws {
        let toast = try HookFormat.alertmanager.toast(
            """
            {"status": "firing", "commonLabels": {"alertname": "Up"}, "externalURL": "http://am.example",
             "alerts": [{"status": "firing", "labels": {"alertname": "Up", "job": "node", "instance": "a:9"}}]}
            """
        )
        #expect(toast.message == "job=node instance=a:9")
        #expect(toast.actions == ["Open http://am.example"])
        #expect(!toast.draft.replacesPresent)
    }

    @Test func withoutACommonNameEachAlertHasItsOwn() throws {
        let toast = try HookFormat.alertmanager.toast(
            """
            {"status": "firing", "receiver": "ops", "groupLabels": {}, "commonLabels": {},
             "alerts": [{"labels": {"alertname": "Disk"}, "annotations": {"summary": "9 % left"}},
               {"labels": {"alertname": "Up", "job": "node"}}, {"labels": {"alertname": "Load"}}]}
            """
        )
        #expect((toast.title, toast.message) == ("ops (3)", "Disk: 9 % left\nUp: job=node\nLoad"))
    }

    @Test func aGroupThatSaysNothingIsAnAlert() throws {
        let toast = try HookFormat.alertmanager.toast(
            """
            {"status": "firing", "commonLabels": {"severity": "critical"}, "groupLabels": {},
             "alerts": [{"labels": {"severity": "critical"}}], "externalURL": "http://am.example"}
            """
        )
        #expect((toast.title, toast.draft.role) == ("Alert", .error))
        let empty = try HookFormat.alertmanager.toast(
            #"{"status": "firing", "receiver": "ops", "alerts": [], "externalURL": "http://am.example"}"#
        )
        #expect(empty.title == "ops")
        #expect(empty.dropped == ["/alerts"])
        #expect(empty.draft.details.actions.first?.dismissal == .never)
    }

    @Test(arguments: [HookFormat.alertmanager, .grafana]) func aGroupWithoutAlertsIsShown(_ format: HookFormat) throws {
        for alerts in ["", #", "alerts": null"#, #", "alerts": []"#] {
            let toast = try format.toast(#"{"status": "firing", "receiver": "ops"\#(alerts)}"#)
            #expect(toast.title == "ops" && toast.dropped == ["/alerts"])
        }
    }

    @Test(arguments: [HookFormat.alertmanager, .grafana]) func whatIsNoListOfAlertsIsRefused(_ format: HookFormat) {
        for (alerts, place) in [
            (#", "alerts": 5"#, "/alerts"), (#", "alerts": {}"#, "/alerts"), (#", "alerts": [5]"#, "/alerts/0"),
            (#", "alerts": [{}, "x"]"#, "/alerts/1"),
        ] {
            let error = #expect(throws: FormatError.self) {
                try format.toast(#"{"status": "firing", "receiver": "ops"\#(alerts)}"#)
            }
            guard case .invalid(let pointer, _) = error else {
                Issue.record("A member of the document is invalid.")
                continue
            }
            #expect(pointer == place)
        }
        #expect(throws: FormatError.noText) { try format.toast(#"{"status": "firing", "alerts": []}"#) }
    }

    @Test func grafanaAddsTitleSilenceAndImage() throws {
        let toast = try HookFormat.grafana.toast(
            """
            {"receiver": "toastd", "status": "firing", "orgId": 1, "title": "[FIRING:1] CPU", "state": "alerting",
             "groupKey": "g", "message": "**Firing**", "commonLabels": {"alertname": "CPU"},
             "alerts": [{"status": "firing", "labels": {"alertname": "CPU"}, "annotations": {"summary": "95 %"},
               "dashboardURL": "http://g.example/d/1", "panelURL": "http://g.example/d/1?viewPanel=2",
               "silenceURL": "http://g.example/silence", "imageURL": "https://g.example/i.png", "values": {"B": 95}}]}
            """
        )
        #expect((toast.title, toast.message) == ("[FIRING:1] CPU", "95 %"))
        #expect(toast.actions == ["Open http://g.example/d/1?viewPanel=2", "Silence http://g.example/silence"])
        #expect(toast.image == "https://g.example/i.png")
    }

    @Test func aSignatureOfAnotherSecretIsRefused() throws {
        var mapping = HookMapping(.grafana)
        mapping.signingSecret = "s3cret"
        let body = #"{"status": "resolved", "title": "T", "alerts": []}"#
        // printf '%s' BODY | openssl dgst -sha256 -hmac s3cret
        let code = "e8a0fd39e777dc05017b25c9182f647a03fd93769dd8365f1f2604e3397ec88e"
        #expect(try mapping.toasts(of: input(body, fields: ["x-grafana-alerting-signature": code])).toasts.count == 1)
        #expect(throws: FormatError.wrongSignature) { try mapping.toasts(of: input(body)) }
        let wrong = String(code.reversed())
        #expect(throws: FormatError.wrongSignature) {
            try mapping.toasts(of: input(body, fields: ["x-grafana-alerting-signature": wrong]))
        }
    }
}
