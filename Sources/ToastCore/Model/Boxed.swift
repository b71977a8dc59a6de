/// A part behind one pointer, so that what holds it is small and cheap to copy; a change makes a new one.
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
