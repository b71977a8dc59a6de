// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target of ours builds with the same bar: Swift 6 mode (complete strict concurrency), tomorrow's defaults
/// today, no warnings.
///
/// Tests stop here, because they speak to the system directly where that says more than a wrapper would.
let testing: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// The product also marks every unsafe expression as such.
let strict = testing + [.strictMemorySafety()]

let package = Package(
    name: "toastd",
    products: [.executable(name: "toastd", targets: ["toastd"])],
    // Exact, because what was tested is what is built. A new version is a change of ours (docs/dependencies.md).
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),

        // What these bring. A target names a product of each, or SwiftPM would warn that it is not used.
        .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
        .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
    ],
    targets: [
        // C as the system ships it.
        .systemLibrary(
            name: "CMicroHTTPD",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]
        ),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CWslay", providers: [.apt(["libwslay-dev"])]),
        .systemLibrary(name: "CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),

        // 0: addresses, and the blocks that they fall into.
        .target(name: "InternetAddresses", swiftSettings: strict),

        // 0: texts from outside that would take long to compare.
        .target(name: "CombiningMarks", swiftSettings: strict),

        // 0: numbers that loops write and operators read.
        .target(name: "Metrics", swiftSettings: strict),

        // 0: compression of what browsers load.
        .target(name: "Gzip", dependencies: ["CZlib"], swiftSettings: strict),

        // 0: keys that nodes share, and what is sealed with them.
        .target(
            name: "Sealing",
            dependencies: [.product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: strict
        ),

        // 0: the loop that everything runs on.
        .target(name: "CResidentCode"),
        .target(name: "EventLoop", dependencies: ["CLinux", "CResidentCode"], swiftSettings: strict),

        // 1: HTTP without the product, coming in and going out; the product without I/O.
        .target(
            name: "MicroHTTP",
            dependencies: [
                "CMicroHTTPD", "CWslay", "CombiningMarks", "EventLoop", "InternetAddresses", "Metrics",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: strict
        ),
        .target(name: "ToastCore", dependencies: ["CombiningMarks", "InternetAddresses"], swiftSettings: strict),
        .target(name: "HTTPClient", dependencies: ["CCurl", "InternetAddresses"], swiftSettings: strict),

        // 1½: NATS and JetStream; of ToastCore only its JSON and its instants.
        .target(name: "NATS", dependencies: ["CNATS", "EventLoop", "ToastCore"], swiftSettings: strict),

        // 2: who may do what.
        .target(
            name: "ToastAccess",
            dependencies: [
                "Sealing", "ToastCore",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit"),
                // What JWTKit is made of: named for their versions only.
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: strict
        ),

        // 2: the API as programs use it: what the commands send and print.
        .target(name: "ToastClient", dependencies: ["HTTPClient", "ToastCore"], swiftSettings: strict),

        // 2: toasts of what other systems post.
        .target(
            name: "ToastFormats",
            dependencies: ["CombiningMarks", "ToastCore", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: strict
        ),

        // 2: adapters of the ports in ToastCore/Store.
        .target(
            name: "ToastStore",
            dependencies: [
                "EventLoop", "Metrics", "NATS", "Sealing", "ToastCore",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict
        ),

        // 3: channels at work.
        .target(
            name: "ToastHub",
            dependencies: [
                "HTTPClient", "EventLoop", "Metrics", "MicroHTTP", "ToastAccess", "ToastCore", "ToastFormats",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: strict
        ),

        // 3½: channels of several nodes.
        .target(
            name: "ToastCluster",
            dependencies: [
                "EventLoop", "Metrics", "NATS", "Sealing", "ToastAccess", "ToastCore", "ToastHub", "ToastStore",
            ],
            swiftSettings: strict
        ),

        // 4: the wire.
        .target(
            name: "ToastServer",
            dependencies: [
                "EventLoop", "Gzip", "InternetAddresses", "Metrics", "MicroHTTP", "ToastAccess", "ToastCore",
                "ToastFormats", "ToastHub",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),

        // 5: composition root and commands.
        .executableTarget(
            name: "toastd",
            dependencies: [
                "HTTPClient", "EventLoop", "InternetAddresses", "Metrics", "MicroHTTP", "Sealing", "ToastAccess",
                "ToastClient", "ToastCluster", "ToastCore", "ToastHub", "ToastServer", "ToastStore",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
                // What ServiceLifecycle is made of: named for its version only.
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
            ],
            swiftSettings: strict
        ),

        // What the tests talk to beside the product.
        .executableTarget(
            name: "websocket-echo",
            dependencies: ["EventLoop", "MicroHTTP"],
            path: "Tests/WebSocketEcho",
            swiftSettings: testing
        ),

        // What several of the test targets need.
        .target(
            name: "TestSupport",
            dependencies: ["EventLoop", "ToastCore", "ToastHub"],
            path: "Tests/TestSupport",
            swiftSettings: testing
        ),

        // Servers for the tests that need NATS.
        .target(name: "NATSTestServer", path: "Tests/NATSTestServer", swiftSettings: testing),

        .testTarget(name: "InternetAddressesTests", dependencies: ["InternetAddresses"], swiftSettings: testing),
        .testTarget(name: "MetricsTests", dependencies: ["Metrics"], swiftSettings: testing),
        .testTarget(name: "SealingTests", dependencies: ["Sealing"], swiftSettings: testing),
        .testTarget(
            name: "HTTPClientTests",
            dependencies: ["HTTPClient", "InternetAddresses"],
            swiftSettings: testing
        ),
        .testTarget(name: "EventLoopTests", dependencies: ["EventLoop"], swiftSettings: testing),
        .testTarget(
            name: "NATSTests",
            dependencies: ["EventLoop", "NATS", "NATSTestServer", "ToastCore"],
            swiftSettings: testing
        ),
        .testTarget(name: "MicroHTTPTests", dependencies: ["MicroHTTP", "EventLoop"], swiftSettings: testing),
        .testTarget(name: "ToastCoreTests", dependencies: ["TestSupport", "ToastCore"], swiftSettings: testing),
        .testTarget(name: "ToastFormatsTests", dependencies: ["ToastCore", "ToastFormats"], swiftSettings: testing),
        .testTarget(
            name: "ToastHubTests",
            dependencies: [
                "HTTPClient", "EventLoop", "Metrics", "MicroHTTP", "TestSupport", "ToastAccess", "ToastCore",
                "ToastFormats", "ToastHub", "ToastStore",
            ],
            swiftSettings: testing
        ),
        .testTarget(
            name: "ToastServerTests",
            dependencies: [
                "EventLoop", "InternetAddresses", "Metrics", "MicroHTTP", "TestSupport", "ToastAccess", "ToastCore",
                "ToastHub", "ToastServer", "ToastStore", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: testing
        ),
        .testTarget(
            name: "ToastAccessTests",
            dependencies: [
                "Sealing", "ToastAccess", "ToastCore",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: testing
        ),
        .testTarget(name: "ToastClientTests", dependencies: ["ToastClient", "ToastCore"], swiftSettings: testing),
        .testTarget(
            name: "ToastClusterTests",
            dependencies: [
                "EventLoop", "Metrics", "MicroHTTP", "NATS", "NATSTestServer", "Sealing", "TestSupport", "ToastAccess",
                "ToastCluster", "ToastCore", "ToastHub", "ToastStore",
            ],
            swiftSettings: testing
        ),
        .testTarget(
            name: "ToastStoreTests",
            dependencies: ["EventLoop", "Metrics", "NATS", "NATSTestServer", "Sealing", "ToastCore", "ToastStore"],
            swiftSettings: testing
        ),
    ]
)

// Parsers under fire: each build of the tests replays the seeds, `make fuzz` puts libFuzzer around the same targets.
let parsers: [Target.Dependency] = [
    "CZlib", "EventLoop", "Gzip", "InternetAddresses", "MicroHTTP", "NATS", "Sealing", "TestSupport", "ToastAccess",
    "ToastCluster", "ToastCore", "ToastFormats", "ToastHub", "ToastServer", "ToastStore",
    .product(name: "Crypto", package: "swift-crypto"),
    .product(name: "Logging", package: "swift-log"),
]
if let runtime = Context.environment["TOASTD_FUZZER_RUNTIME"] {
    // Of ours only: what a dependency does with some bytes is not what the fuzzer should look for.
    for target in package.targets where target.type == .regular {
        target.swiftSettings?.append(.unsafeFlags(["-Xfrontend", "-sanitize=fuzzer"]))
    }
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: parsers,
            path: "Tests/Fuzz",
            exclude: ["Replay", "Seeds"],
            sources: ["Driver", "Targets"],
            swiftSettings: testing,
            linkerSettings: [.unsafeFlags([runtime]), .linkedLibrary("stdc++")]
        )
    )
} else {
    package.targets.append(
        .testTarget(
            name: "FuzzTests",
            dependencies: parsers,
            path: "Tests/Fuzz",
            exclude: ["Driver", "Seeds"],
            sources: ["Replay", "Targets"],
            swiftSettings: testing
        )
    )
}
