// What curl calls, each inside `curl_multi_perform`, on the poster's thread. Each function only unwraps its arguments,
// recovers the transfer and calls one method.

import CCurl
import Glibc
import InternetAddresses

/// Feeds `CURLOPT_WRITEFUNCTION` and `CURLOPT_HEADERFUNCTION`: a part of the answer came.
func onAnswer(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    // Anything but the whole count ends the transfer.
    return transfer.receive(size * count) ? size * count : -1
}

/// Feeds `CURLOPT_OPENSOCKETFUNCTION`: a connection is about to be made to an address that was looked up.
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
    return unsafe SystemCalls.openSocket(
        family: address.pointee.family,
        type: address.pointee.socktype,
        protocol: address.pointee.protocol
    )
}
