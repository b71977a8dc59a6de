import Foundation

// libFuzzer around one target: the first argument names it, the others are libFuzzer's own.

typealias Input = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<Arguments?>,
    _ input: Input
) -> CInt

let names = FuzzTarget.all.map(\.name)
guard CommandLine.argc > 1, let target = FuzzTarget.all.first(where: { $0.name == CommandLine.arguments[1] }) else {
    print(names.joined(separator: "\n"))
    exit(CommandLine.argc > 1 ? 64 : 0)
}
let check = target.check

var count = CommandLine.argc - 1
var arguments: Arguments? = CommandLine.unsafeArgv + 1
exit(
    runFuzzer(&count, &arguments) { bytes, count in
        do {
            try check(Array(UnsafeBufferPointer(start: bytes, count: count)))
        } catch {
            // libFuzzer keeps the input of a process that is aborted.
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            abort()
        }
        return 0
    }
)
