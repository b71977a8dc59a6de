// What libcurl calls, each inside `curl_multi_perform`, on the thread that performs the transfer. Each function only
// unwraps its arguments, recovers the transfer and calls one method.

import CCurl
import Glibc
import InternetAddresses

/// Feeds `CURLOPT_WRITEFUNCTION`: a part of the body came.
func onBody(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    // Anything but the whole count ends the transfer.
    return unsafe transfer.receive(part) ? size * count : -1
}

/// Feeds `CURLOPT_HEADERFUNCTION`: a line of the head came, always a whole one.
func onHeaderLine(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe transfer.receiveLine(line) ? size * count : -1
}

/// Feeds `CURLOPT_OPENSOCKETFUNCTION`: a connection is about to be made to an address that was resolved.
func onOpenSocket(
    _ context: UnsafeMutableRawPointer?,
    _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context = unsafe context, let address = unsafe address, let peer = unsafe ccurl_address(address) else {
        return -1
    }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    guard unsafe transfer.mayConnect(to: IPAddress(peer)) else { return -1 }
    return unsafe socket(
        address.pointee.family,
        address.pointee.socktype | CInt(SOCK_CLOEXEC.rawValue),
        address.pointee.protocol
    )
}
