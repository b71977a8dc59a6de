/// A value in a box on the heap, so that its container is small and cheap to copy; a change makes a new box.
@propertyWrapper
struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
    private indirect enum Box: Hashable, Sendable {
        case full(Value)
    }

    private var box: Box

    init(wrappedValue: Value) {
        self.box = .full(wrappedValue)
    }

    var wrappedValue: Value {
        get {
            switch self.box {
            case .full(let value): value
            }
        }
        set { self.box = .full(newValue) }
    }
}
