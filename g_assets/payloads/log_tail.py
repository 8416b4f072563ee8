"""The last words of a log.

Belongs here: a bounded, readable end of a file of any size. The whole log stays where it is.
"""

from pathlib import Path

from g_assets.payloads.redact import redacted_text


def log_tail(path: Path, limit_bytes: int) -> str:
    """The last whole lines of a file within ``limit_bytes`` of UTF-8, secrets blotted out; empty without a file."""
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, 2)
            stream.seek(max(0, size - limit_bytes))
            raw = stream.read(limit_bytes)
    except OSError:
        return ""
    text = redacted_text(raw.decode("utf-8", errors="replace"))
    if size > limit_bytes and "\n" in text:
        text = text.partition("\n")[2]
    # What could not be decoded grew when it was replaced.
    return text.encode()[-limit_bytes:].decode("utf-8", errors="ignore")
