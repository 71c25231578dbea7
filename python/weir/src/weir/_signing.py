"""Signatures of requests to a session and of its answers."""

from __future__ import annotations

import hashlib
import hmac


class Signer:
    """Signs with the key of a session."""

    def __init__(self, hex_key: str) -> None:
        self._key = bytes.fromhex(hex_key)

    def authorization(self, method: str, target: str, millis: int, nonce: str, body: bytes) -> str:
        """Returns the header of a request."""
        digest = hashlib.sha256(body).hexdigest()
        signature = self._mac("request", method, target, str(millis), nonce, digest)
        return f"Weir time={millis},nonce={nonce},body={digest},signature={signature}"

    def is_answer(self, nonce: str, status: int, body: bytes, signature: str) -> bool:
        """Whether an answer is the session's."""
        expected = self._mac("answer", nonce, str(status), hashlib.sha256(body).hexdigest())
        return hmac.compare_digest(expected, signature)

    def _mac(self, *lines: str) -> str:
        return hmac.new(self._key, "\n".join(lines).encode(), hashlib.sha256).hexdigest()
