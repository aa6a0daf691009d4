"""Claims: 600 times the pairs per second of scipy's bootstrap, 50 times those of its t-test, in 500 MiB.

Makes a matrix like that of INEX 2009 (172 systems, 68 topics), then times the comparison of all ordered pairs
with 10,000 resamples, intervals and correction. The peer is a loop over pairs in the same process and
the same minute: a few of them with scipy.stats.bootstrap, by processor time, 200 with ttest_rel; the rest is
extrapolated.
2,000 systems on 50 topics, 4 million pairs, are compared by the bootstrap without intervals in a minute of
processor time and 1 GiB, the table included; by t with intervals in ten seconds.
"""

from __future__ import annotations

import itertools
import os
import resource
import subprocess
import sys
import time

import numpy as np

from _timing import best_of, claim

SYSTEMS, TOPICS, RESAMPLES = 172, 68, 10_000
PAIRS = SYSTEMS * (SYSTEMS - 1)
BOOTSTRAP_PAIRS, T_PAIRS = 8, 200
MEMORY = 500
MANY = 2000
T_SECONDS = 10
MATRIX = f"""\
import numpy as np
from inexlab.scores import Scores
from inexlab.statistics import compare
random = np.random.default_rng(2009)
difficulty = random.normal(size={TOPICS})
quality = np.linspace(-1, 1, {SYSTEMS})[:, None]
scores = 1 / (1 + np.exp(-difficulty - quality - random.normal(size=({SYSTEMS}, {TOPICS}))))
names = lambda count: tuple(map(str, range(count)))
matrix = Scores(names({SYSTEMS}), names({TOPICS}), scores)
"""


def make_scores() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return the scores that the child process makes too."""
    made: dict[str, np.ndarray[tuple[int, int], np.dtype[np.float64]]] = {}
    exec(MATRIX, made)
    return made["scores"]


def some_pairs(count: int) -> list[tuple[int, int]]:
    """Return ordered pairs spread over all of them."""
    every = list(itertools.permutations(range(SYSTEMS), 2))
    return every[:: len(every) // count][:count]


def report(name: str, ours: float, theirs: float, measured: int) -> float:
    """Print both times and return how many times faster we are."""
    print(f"{name}: inexlab {ours:.3f} s, scipy {theirs:.1f} s (from {measured} of {PAIRS:,} pairs)")
    return theirs / ours


def bootstrap() -> bool:
    """All ordered pairs with p-values and intervals, against a loop over scipy.stats.bootstrap."""
    from scipy import stats

    from inexlab.scores import Scores
    from inexlab.statistics import compare
    from inexlab.statistics.testing import Sampling

    scores = make_scores()
    matrix = Scores(tuple(map(str, range(SYSTEMS))), tuple(map(str, range(TOPICS))), scores)
    pairs = some_pairs(BOOTSTRAP_PAIRS)

    def ours() -> None:
        assert len(compare(matrix, sampling=Sampling(RESAMPLES))) == PAIRS

    def theirs() -> None:
        for a, b in pairs:
            found = stats.bootstrap(
                (scores[a] - scores[b],), np.mean, n_resamples=RESAMPLES, method="percentile", vectorized=True
            )
            assert ((found.bootstrap_distribution <= 0).mean()) <= 1

    ours()  # loads the compiled loops
    theirs()
    our_time, their_time = (best_of(5, work, time.process_time) for work in (ours, theirs))
    ratio = report("bootstrap", our_time, their_time * PAIRS / len(pairs), len(pairs))
    return claim("compare-bootstrap", ratio, 600, ratio >= 600)


def t() -> bool:
    """All ordered pairs with p-values and intervals, against a loop over scipy.stats.ttest_rel."""
    from scipy import stats

    from inexlab.scores import Scores
    from inexlab.statistics import compare

    scores = make_scores()
    matrix = Scores(tuple(map(str, range(SYSTEMS))), tuple(map(str, range(TOPICS))), scores)
    pairs = some_pairs(T_PAIRS)

    def ours() -> None:
        assert len(compare(matrix, test="t")) == PAIRS

    def theirs() -> None:
        for a, b in pairs:
            found = stats.ttest_rel(scores[a], scores[b], alternative="greater")
            assert found.pvalue <= 1

    ours()
    theirs()
    ratio = report("t", best_of(5, ours), best_of(3, theirs) * PAIRS / len(pairs), len(pairs))
    return claim("compare-t", ratio, 50, ratio >= 50)


def memory() -> bool:
    """Peak memory of the whole bootstrap comparison in a process of its own."""
    script = MATRIX + f"assert len(compare(matrix)) == {PAIRS}\n"
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", script], check=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{SYSTEMS} systems: {time.perf_counter() - begin:.1f} s with start-up, peak {peak:.0f} MiB")
    return claim(f"compare-memory-{MEMORY}MiB", MEMORY / peak, 1, peak < MEMORY)


def many() -> bool:
    """Processor time and peak memory of 2,000 systems, by the bootstrap and by t, in other processes."""
    taken, peak = _of_many("intervals=False")
    quick = claim("compare-2000-minute", 60 / taken, 1, taken < 60)
    small = claim("compare-2000-1GiB", 1024 / peak, 1, peak < 1024)
    taken, _ = _of_many("test='t'")
    return claim("compare-2000-t-seconds", T_SECONDS / taken, 1, taken < T_SECONDS) and small and quick


def _of_many(options: str) -> tuple[float, float]:
    """Return the processor time that a comparison of 2,000 systems takes, and the most MiB so far."""
    script = MATRIX.replace(str(SYSTEMS), str(MANY)).replace(str(TOPICS), "50") + (
        "from inexlab.report.comparison import write_comparison\n"
        f"print(write_comparison(compare(matrix, {options}), 'table'))\n"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    peak = after.ru_maxrss / 1024
    print(f"{MANY:,} systems, {options}: {taken:.1f} s of processor time, peak {peak:.0f} MiB")
    return taken, peak


def main() -> int:
    """Run all; the peak of child processes is the largest so far, so that of many systems comes last."""
    os.environ.pop("INEXLAB_COMPILED", None)
    passed = [memory(), bootstrap(), t(), many()]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
