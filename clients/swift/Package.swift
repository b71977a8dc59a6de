// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "toastd-client",
    // Observation needs these.
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [.library(name: "Toastd", targets: ["Toastd"])],
    targets: [
        .target(name: "Toastd", swiftSettings: settings),
        .testTarget(name: "ToastdTests", dependencies: ["Toastd"], swiftSettings: settings),
    ]
)
