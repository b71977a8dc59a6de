/// Elements in ascending order, no two of them equal.
///
/// Finding an element takes logarithmic time. Inserting and removing move the elements after it. The newest toast of a
/// queue is inserted at the end, except in the mode `priority`. Removing the first moves nothing, so clearing a long
/// queue in its order takes no quadratic time.
struct Ordered<Element: Comparable & Sendable>: Sendable {
    /// The elements, least first.
    private(set) var elements: ArraySlice<Element> = []

    var count: Int { self.elements.count }
    var first: Element? { self.elements.first }
    var last: Element? { self.elements.last }

    /// Adds an element that is not there yet.
    mutating func insert(_ element: Element) {
        let position = self.position(of: element)
        guard position < self.elements.endIndex else { return self.elements.append(element) }
        self.elements.insert(element, at: position)
    }

    /// Removes an element if it is there.
    mutating func remove(_ element: Element) {
        let position = self.position(of: element)
        guard position < self.elements.endIndex, self.elements[position] == element else { return }
        if position == self.elements.startIndex {
            self.elements.removeFirst()
        } else {
            self.elements.remove(at: position)
        }
    }

    /// The place of the first element that is not less than this one.
    private func position(of element: Element) -> Int {
        guard let last = self.elements.last, element <= last else { return self.elements.endIndex }
        var range = self.elements.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = self.elements[middle] < element ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
