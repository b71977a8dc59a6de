// What curl calls for a call, each inside `curl_multi_perform`, on the caller's thread. Each function only unwraps its
// arguments, recovers the exchange and calls one method.

import CCurl

/// Feeds `CURLOPT_WRITEFUNCTION`: a part of the body came.
func onBody(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    unsafe exchange.receive(Array(UnsafeRawBufferPointer(start: bytes, count: size * count)))
    return size * count
}

/// Feeds `CURLOPT_HEADERFUNCTION`: a line of the head came, always a whole one.
func onLine(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    unsafe exchange.receiveLine(Array(UnsafeRawBufferPointer(start: bytes, count: size * count)))
    return size * count
}
