import MicroHTTP
import ToastAccess
import ToastCore

extension API {
    /// Answers `GET /v1/presets`.
    func listPresets(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        .object { $0.member("presets", PresetName.allCases.map(Preset.named)) }
    }

    /// Answers `GET /v1/presets/{preset}`.
    func getPreset(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        guard let name = request.parameters["preset"].flatMap(PresetName.init) else { throw Problem(.presetNotFound) }
        return .response(.json { Preset.named(name).write(to: &$0) })
    }
}
