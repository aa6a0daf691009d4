"""Claims: the first ten answers to a natural question are parts that a person would read.

30 questions to 1,216 articles of eLife, as people would ask them, with everything as it is by default: no
answer lies in a list of references, none has fewer than 80 characters, the median length is between 200 and
800. `--show N` prints the first three answers to the first N questions, to look at.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from _articles import articles
from _timing import claim
from inexlab import open_index, search
from inexlab.index.build import build_index

QUESTIONS = (
    "how does sleep deprivation affect memory consolidation",
    "why do some bacteria become tolerant to antibiotics",
    "what happens to neurons in the hippocampus during navigation",
    "how is the length of cilia controlled",
    "does exercise change the gut microbiome",
    "how do plants sense the direction of light",
    "what makes malaria parasites resistant to artemisinin",
    "how do cells know when to stop growing",
    "which genes control the shape of the wing in flies",
    "can old stem cells be made young again",
    "how do zebrafish regenerate their hearts",
    "what is the role of dopamine in learning from reward",
    "how do viruses enter their host cells",
    "why do mutations accumulate in tumours",
    "how do proteins fold with the help of chaperones",
    "what limits the speed of DNA replication",
    "how do birds learn their songs",
    "how are memories stored at synapses",
    "how does CRISPR recognise its target",
    "what causes neurons to die in Parkinson's disease",
    "how do ants find their way home",
    "how do T cells tell self from foreign",
    "how is chromatin opened before transcription",
    "why do worms live longer when they eat less",
    "how do kinesin motors walk along microtubules",
    "what does the amygdala do when we are afraid",
    "how do yeast cells choose where to bud",
    "how was the sample size chosen",
    "which statistical test was used to compare groups of mice",
    "how do fish school without a leader",
)
BEST = 10


def main() -> int:
    """Build the index, ask, measure."""
    shown = int(sys.argv[sys.argv.index("--show") + 1]) if "--show" in sys.argv else 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "index"
        build_index(articles(), folder)
        index = open_index(folder)
        lengths, cited = [], 0
        for number, question in enumerate(QUESTIONS):
            hits = search(index, question, BEST)
            lengths += [hit.end - hit.start for hit in hits]
            cited += sum("/ref-list[" in hit.path for hit in hits)
            if number < shown:
                print(f"\n{question}")
                for hit in hits[:3]:
                    print(f"  {hit.score:.2f} {hit.title[:60]} › {hit.breadcrumb}: {hit.snippet}")
    middle = statistics.median(lengths)
    print(f"{len(QUESTIONS)} questions, {len(lengths)} answers; {min(lengths)} to {max(lengths)} characters")
    passed = [
        claim("answers-from-references", cited, 0, cited == 0),
        claim("answers-shortest", min(lengths), 80, min(lengths) >= 80),
        claim("answers-median", middle, 800, 200 <= middle <= 800),
    ]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
