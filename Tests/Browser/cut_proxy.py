"""A proxy in front of a server, whose connections a test can cut."""

import contextlib
import socket
import threading


class Proxy:
    """Forwards bytes until it is told to cut every connection; then it accepts new ones."""

    def __init__(self, target):
        host, port = target.removeprefix("http://").split(":")
        self._target = (host, int(port))
        self._pairs = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.base = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.is_refusing = False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if self.is_refusing:
                near.close()
                continue
            far = socket.create_connection(self._target)
            self._pairs.append((near, far))
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pump, args=(one, other), daemon=True).start()

    @staticmethod
    def _pump(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self):
        for pair in self._pairs:
            for end in pair:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
        self._pairs.clear()

    def close(self):
        self._listener.close()
        self.cut()
