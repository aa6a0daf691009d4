"""Style sheets and scripts: each has the digest of its content in its address, and is kept for ever."""

from __future__ import annotations

import hashlib
import mimetypes
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_FOLDER = Path(__file__).parent / "static"
_FOR_EVER = "public, max-age=31536000, immutable"


class StaticFile(NamedTuple):
    """A file as it is sent."""

    content: bytes
    digest: str
    media_type: str


class StaticFiles:
    """All files of the folder `static`, read once."""

    def __init__(self, folder: Path = _FOLDER) -> None:
        self._files: dict[str, StaticFile] = {}
        for file in sorted(folder.iterdir()):
            content = file.read_bytes()
            digest = hashlib.sha256(content).hexdigest()[:16]
            kind = mimetypes.types_map.get(file.suffix, "application/octet-stream")
            self._files[file.name] = StaticFile(content, digest, kind)

    def url(self, name: str) -> str:
        """Return the address of a file."""
        return f"/static/{self._files[name].digest}/{name}"

    def respond(self, request: Request) -> Response:
        """Send a file; one of an older page is sent as it is now, and not kept."""
        found = self._files.get(request.path_params["name"])
        if found is None:
            return Response("no such file", 404)
        kept = _FOR_EVER if found.digest == request.path_params["digest"] else "no-cache"
        return Response(found.content, media_type=found.media_type, headers={"Cache-Control": kept})

    def routes(self) -> list[Route]:
        """Return where files are sent from."""
        return [Route("/static/{digest}/{name}", self.respond, name="static")]
