"""Style sheets and scripts: their addresses have a digest of all of them, and browsers keep them for ever.

It is one digest for the whole folder, so that a script finds those that it imports beside it.
"""

from __future__ import annotations

import hashlib
import mimetypes
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_FOLDER = Path(__file__).parent / "static"
_FOR_EVER = "public, max-age=31536000, immutable"


class StaticFiles:
    """All files of the folder `static`, read once."""

    def __init__(self, folder: Path = _FOLDER) -> None:
        self._files = {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()}
        digest = hashlib.sha256()
        for name, content in self._files.items():
            digest.update(f"{name} {len(content)} ".encode() + content)
        self._digest = digest.hexdigest()[:16]

    def url(self, name: str) -> str:
        """Return the address of a file."""
        if name not in self._files:
            raise KeyError(name)
        return f"/static/{self._digest}/{name}"

    def respond(self, request: Request) -> Response:
        """Send a file; one that an older page asks for is sent as it is now, and not kept."""
        name = request.path_params["name"]
        if name not in self._files:
            return Response("no such file", 404)
        kept = _FOR_EVER if request.path_params["digest"] == self._digest else "no-cache"
        kind = mimetypes.types_map.get(Path(name).suffix, "application/octet-stream")
        return Response(self._files[name], media_type=kind, headers={"Cache-Control": kept})

    def routes(self) -> list[Route]:
        """Return where files are sent from."""
        return [Route("/static/{digest}/{name}", self.respond, name="static")]
