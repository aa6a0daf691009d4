"""A laboratory to test in a browser: a few hostile documents, two topics, a server that can go away."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path

import uvicorn

from inexlab.api.indexing import build_index
from inexlab.assess.store import Store, open_store
from inexlab.index.index import open_index
from inexlab.pooling import Pool, PooledDocument
from inexlab.topics import Topic, Topics
from inexlab.web.app import application
from inexlab.web.lab import Lab

PASSWORD = "a few words of ours"
ARTICLE = """<article xmlns:m="http://www.w3.org/1998/Math/MathML"><front><article-meta><title-group>
<article-title>Of pools</article-title></title-group></article-meta></front><body>
<sec><title>Building a pool</title>
<p>The <italic>pool</italic> of a topic is what is <bold>shown to the <italic>assessor</italic></bold>.
It is small.</p>
<p>A second paragraph says more. It has two sentences, and <xref>a link</xref>.</p>
<list><list-item><p>First item of a list.</p></list-item>
<list-item><p>Second item of a list.</p></list-item></list>
</sec>
<sec><title>Signs</title>
<p>Faces 😀😃 and flags 🇩🇪, a family 👨‍👩‍👧, cafe\u0301 and nai\u0308ve,
&lt;script&gt;document.title = "hacked"&lt;/script&gt; &amp;amp; done.</p>
<p>ברוכים הבאים אל המעבדה. זה משפט שני.</p>
<table-wrap><table><thead><tr><th>run</th><th>score</th></tr></thead>
<tbody><tr><td>one</td><td>0.5</td></tr><tr><td>two</td><td>0.25</td></tr></tbody></table></table-wrap>
<p>So <inline-formula><m:math><m:mfrac><m:mi>a</m:mi><m:mi>b</m:mi></m:mfrac></m:math></inline-formula>
is a ratio.</p>
</sec></body></article>"""
OTHER = """<article><front><article-meta><title-group><article-title>{0}</article-title></title-group>
</article-meta></front><body><p>{1}</p></body></article>"""
DOCUMENTS = {
    "pools": ARTICLE,
    "empty": OTHER.format("Of nothing", "Nothing here is of any use. Not even the pool."),
    "third": OTHER.format("Of thirds", "A third text about pools. " + "It goes on and on. " * 60),
}
TOPICS = Topics(
    [
        Topic("1", "pool assessor", description="What is a pool?", narrative="What a pool is, is relevant."),
        Topic("2", "ratio", castitle="//sec[about(., ratio)]"),
    ]
)


class Laboratory:
    """A served laboratory; `away` and `back` stop the server and start it, at the same address."""

    def __init__(
        self, folder: Path, documents: Mapping[str, str] = DOCUMENTS, topics: Topics | None = TOPICS
    ) -> None:
        self.folder = folder
        articles = folder / "articles"
        articles.mkdir()
        for name, xml in documents.items():
            (articles / f"{name}.xml").write_text(xml, encoding="utf-8")
        build_index(articles, folder / "index")
        self.index = open_index(folder / "index")
        self.pool: Pool | None = None
        self.store: Store | None = None
        if topics is not None:
            hint = self.place("pools", "what is shown") if "pools" in documents else (0, 1)
            self.pool = Pool(
                tuple(
                    PooledDocument(t, doc, (hint,) if doc == "pools" else ())
                    for t in topics
                    for doc in documents
                )
            )
            self.store = open_store(folder / "judgements.db", self.pool, cheap_passwords=True)
        self.topics = topics
        self._port = 0
        self._server: uvicorn.Server | None = None
        self.back()

    def place(self, document: str, quote: str) -> tuple[int, int]:
        """Return where a text is in a document."""
        text = self.text(document)
        at = text.index(quote)
        return at, at + len(quote)

    def text(self, document: str) -> str:
        """Return the canonical text of a document."""
        return self.index.text(self.index.document_numbers[document])

    def join(self, name: str, topics: Iterable[str] = ("1", "2"), role: str = "assessor") -> None:
        """Make an account that judges some topics."""
        assert self.store is not None
        self.store.accounts.join(self.store.accounts.invite(name, role), name, PASSWORD)
        for topic in topics:
            self.store.assign(topic, name)

    def cookie(self, name: str) -> dict[str, str]:
        """Return the cookie of somebody who has signed in."""
        assert self.store is not None
        account = self.store.accounts.find(name)
        assert account is not None
        token = self.store.sessions.begin(account)
        return {"name": f"inexlab-{self.store.name}", "value": token, "url": self.address}

    def said(self, name: str, topic: str, document: str) -> list[str]:
        """Return the texts that somebody has highlighted in a document."""
        assert self.store is not None
        text = self.text(document)
        return [text[start:end] for start, end in self.store.assessment(name, topic, document).highlights]

    @property
    def address(self) -> str:
        """Where it is served."""
        return f"http://127.0.0.1:{self._port}"

    def back(self) -> None:
        """Serve it, if it is not."""
        if self._server is not None:
            return
        listening = socket.socket()
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", self._port))
        self._port = listening.getsockname()[1]
        lab = Lab(self.index, self.topics, self.pool, self.store)
        config = uvicorn.Config(
            application(lab), log_level="error", lifespan="off", timeout_graceful_shutdown=1
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([listening],), daemon=True)
        self._listening = listening
        self._thread.start()
        while not self._server.started:
            self._thread.join(0.01)

    def away(self) -> None:
        """Serve it no more."""
        assert self._server is not None
        self._server.should_exit = True
        self._server.force_exit = True
        self._thread.join(5)
        self._listening.close()
        self._server = None

    def close(self) -> None:
        """Let go of everything."""
        if self._server is not None:
            self.away()
        if self.store is not None:
            self.store.close()
