import Foundation
import Testing
import ToastCore

/// The scenarios of `Tests/Scenarios`; the viewer's `lazy/local-engine.js` passes them, too.
@Suite struct SharedScenarioTests {
    @Test(arguments: try SharedScenario.all())
    func theEngineDoesWhatTheScenarioSays(_ scenario: SharedScenario) throws {
        var stage = try EngineScenario(scenario.settings)
        for step in scenario.steps { try self.perform(step, of: scenario, on: &stage) }
        try stage.run(until: 100)
        #expect(stage.shown == scenario.timeline)
    }

    private func perform(_ step: JSON, of scenario: SharedScenario, on stage: inout EngineScenario) throws {
        let seconds = try #require(step["at"]?.number)
        if let names = step["post"]?.array?.compactMap(\.string) {
            let role = try #require(Role(rawValue: step["role"]?.string ?? "info"))
            let (duration, members) = (step["duration"] ?? 1, step["members"]?.object ?? [:])
            let refusal = try self.refusal { () throws in
                try stage.post(names, role, duration: duration, at: seconds, with: members)
            }
            #expect(refusal == step["refused"]?.string)
        } else if let name = step["dismiss"]?.string {
            let reason = try #require(DismissReason(rawValue: step["reason"]?.string ?? ""))
            try stage.apply(.dismiss(try stage.id(name), reason), at: seconds)
        } else if let name = step["hold"]?.string {
            try stage.apply(.hold(try stage.id(name), holder: "viewer", lease: Interval(seconds: 30)), at: seconds)
        } else if let name = step["release"]?.string {
            try stage.apply(.release(try stage.id(name), holder: "viewer"), at: seconds)
        } else if let name = step["act"]?.string {
            let action = try #require(step["action"]?.string)
            try stage.apply(.act(try stage.id(name), action: action), at: seconds)
        } else if let name = step["update"]?.string {
            let patch = try ToastPatch(json: try #require(step["patch"]))
            try stage.apply(.update(try stage.id(name), patch, ifRevision: nil), at: seconds)
        } else if let changes = step["configure"]?.object {
            var settings = scenario.settings
            for (name, value) in changes { settings[name] = value }
            try stage.apply(.configure(try Settings(json: .object(settings))), at: seconds)
        } else {
            try #require(step["clear"]?.bool == true, "\(scenario.name): a step that this test does not know")
            try stage.apply(.clear, at: seconds)
        }
    }

    /// The name of the error with which the engine refuses a step; `nil` when it does not.
    private func refusal(_ perform: () throws -> Void) throws -> String? {
        do {
            try perform()
            return nil
        } catch EngineError.toastAlreadyPresented {
            return "toastAlreadyPresented"
        } catch EngineError.queueFull {
            return "queueFull"
        }
    }
}

/// Settings, steps, and the expected timeline of toasts that are presented and dismissed.
struct SharedScenario: Sendable, CustomTestStringConvertible {
    let name: String
    let settings: JSONObject
    let steps: [JSON]
    let timeline: [String]

    var testDescription: String { self.name }

    static func all() throws -> [SharedScenario] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Scenarios/queue.json")
        let scenarios = try #require(try JSON(parsing: [UInt8](try Data(contentsOf: file))).array)
        return try scenarios.map { scenario in
            SharedScenario(
                name: try #require(scenario["name"]?.string),
                settings: try #require(scenario["settings"]?.object),
                steps: try #require(scenario["steps"]?.array),
                timeline: try #require(scenario["timeline"]?.array).compactMap(\.string)
            )
        }
    }
}
