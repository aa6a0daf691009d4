"""Claims: building takes 2.5 parses and less than tantivy's time / 2.7, .4 of its space, and little memory.

Unpacks 1,216 articles of eLife (245 MB) and builds an index of every element. The floor is expat parsing the
same files without handlers. The peer is tantivy, with positions and one thread: for speed it indexes whole
articles whose texts were extracted before; for space every element is a document, as in an all-element index.
All times are the best of several, of the processor time of the whole process, as machines have other work.
So for the articles as they are, which is nearly all ASCII, and with accents on every er, an and on of their
texts: one letter in twenty, in two words of five.

Our index also holds the documents' texts, which the peer's article index does not. The claim counts the whole
build all the same; what packing and writing the texts takes is told beside it, and how the two compare when
both hold the texts.
"""

from __future__ import annotations

import multiprocessing
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from statistics import median
from xml.parsers import expat

import numpy as np
import tantivy

from _timing import claim
from inexlab.index.index import Index, open_index
from inexlab.index.indexing import index_documents
from inexlab.index.store import TextFile, files_folder

ARTICLES = Path(__file__).parents[2] / "shared" / "data" / "elife-1216.tar.xz"
ROUNDS = 3


def unpack(folder: Path) -> list[Path]:
    """Unpack the articles, and beside them put all of them again under other names."""
    once, twice = folder / "once", folder / "twice"
    once.mkdir()
    twice.mkdir()
    with tarfile.open(ARTICLES) as archive:
        for member in archive:
            if member.name.endswith(".xml") and (content := archive.extractfile(member)):
                (once / Path(member.name).name).write_bytes(content.read())
    files = sorted(once.iterdir())
    for file in files:
        (twice / file.name).hardlink_to(file)
        (twice / f"again-{file.name}").hardlink_to(file)
    return files


def accented(folder: Path) -> list[Path]:
    """Write the articles with accents into another folder."""
    copies = folder / "accented" / "once"
    copies.mkdir(parents=True)
    for file in sorted((folder / "once").iterdir()):
        content = re.sub(rb">[^<]+<", lambda text: _with_accents(text[0]), file.read_bytes())
        (copies / file.name).write_bytes(content)
    return sorted(copies.iterdir())


def _with_accents(text: bytes) -> bytes:
    for plain, accent in (("er", "ér"), ("an", "än"), ("on", "ön")):
        text = text.replace(plain.encode(), accent.encode())
    return text


def processor_time(work: Callable[[Path], object], folder: Path, times: int) -> float:
    """Return the fewest seconds of the processor that something takes which writes to an empty folder."""
    taken = []
    for _ in range(times):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        begin = time.process_time()
        work(folder)
        taken.append(time.process_time() - begin)
    return min(taken)


def spaced(index: Index, document: int) -> tuple[str, list[tuple[int, int]]]:
    """Return a document's text with a space at every border of an element, and the elements' places in it."""
    text = index.text(document)
    first, last = (int(e) for e in index.document_elements[document : document + 2])
    start = index.column("start", first, last).astype(np.int64)
    end = start + index.column("length", first, last)
    borders = np.unique(np.concatenate((start, end, [0, len(text)])))
    pieces = " ".join(text[a:b] for a, b in pairwise(borders.tolist()))
    begins = start + np.searchsorted(borders, start)
    ends = end + np.searchsorted(borders, end) - 1
    return pieces, list(zip(begins.tolist(), ends.tolist(), strict=True))


def peer(folder: Path, texts: Iterable[str], *, stored: bool = False) -> None:
    """Build an index with tantivy, in an empty folder."""
    schema = tantivy.SchemaBuilder()
    schema.add_unsigned_field("id", stored=True, indexed=False)
    schema.add_text_field("body", stored=stored, tokenizer_name="en_stem", index_option="position")
    writer = tantivy.Index(schema.build(), path=str(folder)).writer(heap_size=500_000_000, num_threads=1)
    for number, text in enumerate(texts):
        writer.add_document(tantivy.Document(id=number, body=text))
    writer.commit()
    writer.wait_merging_threads()


def time_build(folder: Path) -> float:
    """Time our build, compiled loops loaded."""

    def build(out: Path) -> None:
        index_documents([folder / "once"], out / "index")

    processor_time(build, folder / "timed", 1)
    return processor_time(build, folder / "timed", 2)


def time_storing(folder: Path) -> float:
    """Time the part of our build that stores the texts."""
    texts = [text.encode() for text in read_texts(folder / "texts")]

    def store(out: Path) -> None:
        file = TextFile(out)
        for text in texts:
            file.add(text)
        file.complete()

    return processor_time(store, folder / "timed", 2)


def time_parse(folder: Path) -> float:
    """Time the floor."""

    def parse(_: Path) -> None:
        for file in sorted((folder / "once").iterdir()):
            expat.ParserCreate().Parse(file.read_bytes(), True)

    return processor_time(parse, folder / "timed", 2)


def time_peer(folder: Path, *, stored: bool = False) -> float:
    """Time the peer, which has the texts in memory, with a space at every border of an element."""
    return processor_time(
        partial(peer, texts=read_texts(folder / "spaced"), stored=stored), folder / "timed", 2
    )


def read_texts(folder: Path) -> list[str]:
    """Read the texts that were written to a folder."""
    return [file.read_text(encoding="utf-8") for file in sorted(folder.iterdir())]


def alone(work: Callable[[Path], float], folder: Path) -> float:
    """Do something in a process of its own, as what went before changes how memory is given out."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, folder).result()


def speed(folder: Path, files: list[Path], name: str = "") -> list[bool]:
    """Compare building with parsing, and with the peer; `name` is that of the claims."""
    index_documents([folder / "once"], folder / "index")
    index = open_index(folder / "index")
    for kind in ("texts", "spaced"):
        (folder / kind).mkdir()
    for document in range(len(index.documents)):
        file = f"{document:05}.txt"
        (folder / "texts" / file).write_text(index.text(document), encoding="utf-8", newline="")
        (folder / "spaced" / file).write_text(spaced(index, document)[0], encoding="utf-8", newline="")
    works = (time_build, time_storing, time_parse, time_peer, partial(time_peer, stored=True))
    # in turn, so that a machine that is slow for a while is slow for all
    rounds = [[alone(work, folder) for work in works] for _ in range(ROUNDS)]
    ours, storing, floor, theirs, theirs_storing = (min(column) for column in zip(*rounds, strict=True))
    megabytes = sum(file.stat().st_size for file in files) / 1e6
    print(f"{len(files)} articles{name}, {megabytes:.0f} MB, processor time: expat {floor:.2f} s")
    print(f"inexlab {ours:.2f} s, of which storing the texts {storing:.2f} s")
    print(f"tantivy {version('tantivy')}, articles only, from text {theirs:.2f} s, ", end="")
    print(f"storing the texts {theirs_storing:.2f} s ({theirs_storing / ours:.2f} times inexlab)")
    aside = ours - storing
    print(f"with the texts aside on our side: {theirs / aside:.2f} times")
    return [
        claim(f"index-build-expat{name}", ours / floor, 2.5, ours <= 2.5 * floor),
        claim(f"index-build-tantivy{name}", theirs / ours, 2.7, theirs >= 2.7 * ours),
    ]


def size(folder: Path) -> bool:
    """Compare the space on disk, the stored text aside."""
    index = open_index(folder / "index")

    def elements() -> Iterator[str]:
        for document in range(len(index.documents)):
            text, places = spaced(index, document)
            yield from (text[a:b] for a, b in places if a < b)

    ours = sum(
        file.stat().st_size for file in files_folder(index.folder).iterdir() if file.name != "text.bin"
    )
    (folder / "peer").mkdir()
    peer(folder / "peer", elements())
    theirs = sum(file.stat().st_size for file in (folder / "peer").iterdir())
    print(f"every element: inexlab {ours / 1e6:.1f} MB, tantivy {theirs / 1e6:.1f} MB")
    return claim("index-size", ours / theirs, 0.4, ours <= 0.4 * theirs)


def memory(folder: Path) -> list[bool]:
    """Compare the peak memory of building with that of building twice as much, in processes of their own."""
    script = (
        "import resource, sys\n"
        "from inexlab.index.indexing import index_documents\n"
        "index_documents([sys.argv[1]], sys.argv[2])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)\n"
    )
    peaks = []
    for name in ("once", "twice"):
        measured = []
        for k in range(ROUNDS):  # the system gives memory out in pieces of two sizes, not always alike
            out = folder / f"index-{name}-{k}"
            command = [sys.executable, "-c", script, str(folder / name), str(out)]
            measured.append(float(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
        peaks.append(median(measured))
    print(f"peak memory {peaks[0]:.0f} MiB, of twice as many documents {peaks[1]:.0f} MiB")
    return [
        claim("index-memory-1.5GiB", max(peaks) / 1536, 1, max(peaks) < 1536),
        claim("index-memory-growth", peaks[1] / peaks[0], 1.1, peaks[1] <= 1.1 * peaks[0]),
    ]


def main() -> int:
    """Check all claims."""
    if not ARTICLES.exists():
        print("index: the eLife articles (shared/data/elife-1216.tar.xz) are not here")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = unpack(folder)
        # memory first: a process begins with the peak of the one that started it
        passed = [*memory(folder), *speed(folder, files), size(folder)]
        passed += speed(folder / "accented", accented(folder), "-accented")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
