"""What the judging page reads and saves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.assess.record import STATUSES, RefusedSaveError, checked
from inexlab.web.judgement_api import _parsed
from tests.examples import examples
from tests.web.conftest import Served

NOTHING = {"version": 0, "highlights": [], "best_entry": None, "status": "unassessed"}


def test_a_judgement_is_read_as_it_was_saved(served: Served) -> None:
    anna = served.person("anna")
    assert anna.get("/api/judgements/1/sub/ants").json() == NOTHING
    marks = [served.highlight("sub/ants", 30, 35), served.highlight("sub/ants", 0, 8)]
    saved = anna.save("1", "sub/ants", highlights=marks, best_entry=30, seconds=2.5)
    assert (saved.status_code, saved.json()) == (200, {"version": 1})
    assert anna.get("/api/judgements/1/sub/ants").json() == {
        "version": 1,
        "highlights": [[0, 8], [30, 35]],
        "best_entry": 30,
        "status": "in progress",
    }
    assert served.store.assessment("anna", "1", "sub/ants").seconds == 2.5


def test_offsets_count_code_points(served: Served) -> None:
    anna, text = served.person("anna"), served.text("wasps")
    bee = text.index("\N{HONEYBEE}")
    assert anna.save("1", "wasps", highlights=[served.highlight("wasps", bee, bee + 6)]).status_code == 200
    assert text[bee : bee + 6] == "\N{HONEYBEE} café"


def test_the_same_save_sent_again_is_kept_once(served: Served) -> None:
    anna = served.person("anna")
    given: dict[str, Any] = {"save": "one", "status": "done", "seconds": 3}
    assert [anna.save("1", "bees", **given).json() for _ in range(3)] == [{"version": 1}] * 3
    assert [entry.save for entry in served.store.log()] == ["one"]
    assert served.store.assessment("anna", "1", "bees").seconds == 3
    # also when others came after it
    assert anna.save("1", "bees", save="two", base=1).json() == {"version": 2}
    assert anna.save("1", "bees", **given).json() == {"version": 1}
    assert served.store.assessment("anna", "1", "bees").version == 2


def test_a_key_is_of_one_save(served: Served) -> None:
    anna = served.person("anna")
    assert anna.save("1", "bees", save="one").status_code == 200
    assert anna.save("1", "bees", save="one", status="done").status_code == 422
    assert anna.save("1", "wasps", save="one").status_code == 422
    assert served.person("bob").save("1", "bees", save="one").status_code == 200


def test_the_later_of_two_tabs_is_told(served: Served) -> None:
    anna = served.person("anna")
    mark = served.highlight("bees", 0, 4)
    assert anna.save("1", "bees", save="first tab", highlights=[mark]).json() == {"version": 1}
    told = anna.save("1", "bees", save="second tab", status="irrelevant")
    assert told.status_code == 409
    newest = {"version": 1, "highlights": [[0, 4]], "best_entry": None, "status": "in progress"}
    assert told.json() == newest == anna.get("/api/judgements/1/bees").json()
    assert anna.save("1", "bees", save="from the future", base=7).status_code == 409
    assert len(served.store.log()) == 1


def _mark(start: Any, end: Any, quote: Any) -> dict[str, Any]:
    return {"start": start, "end": end, "quote": quote}


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"highlights": [_mark(0, 4, "bees")]}, "another one than the quoted"),
        ({"highlights": [_mark(0, 4, "Bee")]}, "another one than the quoted"),
        ({"highlights": [_mark(0, 4, "Bees"), _mark(3, 5, "sH")]}, "in common"),
        ({"highlights": [_mark(0, 4, "Bees"), _mark(0, 4, "Bees")]}, "in common"),
        ({"highlights": [_mark(40, 400, "")]}, "no text from 40 to 400"),
        ({"highlights": [_mark(4, 4, "")]}, "no text from 4 to 4"),
        ({"highlights": [_mark(4, 0, "")]}, "no text from 4 to 0"),
        ({"highlights": [_mark(-1, 4, "Bees")]}, "not a judgement in JSON"),
        ({"highlights": [_mark(0, 4.0, "Bees")]}, "not a judgement in JSON"),
        ({"highlights": [_mark(True, 4, "ees")]}, "not a judgement in JSON"),
        ({"highlights": [_mark(0, 4, None)]}, "not a judgement in JSON"),
        ({"highlights": [{"start": 0, "end": 4}]}, "'quote' is missing"),
        ({"highlights": None}, "not a judgement in JSON"),
        ({"highlights": "Bees"}, "not a judgement in JSON"),
        ({"best_entry": 1000}, "no place 1000"),
        ({"best_entry": "4"}, "not a judgement in JSON"),
        ({"status": "finished"}, "status 'finished' is none of"),
        ({"status": "irrelevant", "highlights": [_mark(0, 4, "Bees")]}, "neither highlights"),
        ({"status": "irrelevant", "best_entry": 0}, "neither highlights"),
        ({"status": "unassessed", "highlights": [_mark(0, 4, "Bees")]}, "neither highlights"),
        ({"seconds": -1}, "not a number of seconds"),
        ({"seconds": 1e9}, "not a number of seconds"),
        ({"seconds": "long"}, "not a judgement in JSON"),
        ({"seconds": True}, "not a judgement in JSON"),
        ({"save": ""}, "key of a save"),
        ({"save": "k" * 101}, "key of a save"),
        ({"base": None}, "not a judgement in JSON"),
        ({"base": 2**80}, "not a judgement in JSON"),
    ],
)
def test_what_cannot_be_is_refused(served: Served, given: dict[str, Any], reason: str) -> None:
    refused = served.person("anna").save("1", "bees", **given)
    assert refused.status_code == 422
    assert reason in refused.json()["error"]
    assert served.store.log() == []


@pytest.mark.parametrize(
    "body", ["", "[]", "null", "{", '{"save": 1}', "[" * 100_000, '{"save": NaN}', '"\\ud800"', b"\xff"]
)
def test_what_is_no_judgement_is_refused(served: Served, body: str | bytes) -> None:
    anna = served.person("anna")
    refused = anna.client.post("/api/judgements/1/bees", content=body, headers={"X-CSRF-Token": anna.csrf})
    assert refused.status_code == 422
    assert refused.json()["error"]


def test_infinite_times_and_lone_surrogates_are_refused(served: Served) -> None:
    anna = served.person("anna")
    for change in ({"seconds": float("inf")}, {"seconds": float("nan")}, {"save": "\ud800"}):
        body = {"save": "k", "base": 0, "highlights": [], "best_entry": None, "status": "done"} | change
        headers = {"X-CSRF-Token": anna.csrf, "Content-Type": "application/json"}
        refused = anna.client.post("/api/judgements/1/bees", content=json.dumps(body), headers=headers)
        assert refused.status_code == 422
    assert served.store.log() == []


def test_a_document_is_judged_with_one_text(served: Served) -> None:
    anna = served.person("anna")
    assert anna.save("1", "bees").status_code == 200
    served.lab._digests["bees"] = (
        "of another text"  # as if the index had been built anew, of a longer article
    )
    refused = anna.save("1", "bees", save="2", base=1)
    assert (refused.status_code, "not the one that was judged before" in refused.text) == (422, True)
    assert served.store.other_texts({"bees": served.lab._digests["bees"]}.get) == ["bees"]
    del served.lab._digests["bees"]
    assert served.store.other_texts(served.lab.digest) == []
    assert anna.save("1", "bees", save="2", base=1).status_code == 200


_ANY = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
_MARK = st.fixed_dictionaries(
    {"start": st.integers(-1, 6) | _ANY, "end": st.integers(0, 6) | _ANY, "quote": _ANY}
)
_BODY = st.fixed_dictionaries(
    {
        "save": st.text(max_size=3) | _ANY,
        "base": st.integers(-1, 2) | _ANY,
        "highlights": st.lists(_MARK, max_size=2) | _ANY,
        "best_entry": st.none() | st.integers(-1, 6) | _ANY,
        "status": st.sampled_from(STATUSES) | _ANY,
    },
    optional={"seconds": _ANY},
)


@examples(40)
@given(body=_BODY | _ANY)
def test_whatever_is_sent_is_a_judgement_or_refused(body: object) -> None:
    try:
        save, quotes = _parsed(json.dumps(body).encode())
        done = checked(save, "Bees!", quotes)
    except RefusedSaveError:
        return
    assert done.status in STATUSES
    assert done.key.isprintable()
    assert all("Bees!"[start:end] in quotes for start, end in done.highlights)
    assert 0 <= done.seconds < 10**6


def test_touching_highlights_stay_two(served: Served) -> None:
    anna = served.person("anna")
    marks = [served.highlight("bees", 0, 4), served.highlight("bees", 4, 9)]
    assert anna.save("1", "bees", highlights=marks).status_code == 200
    assert anna.get("/api/judgements/1/bees").json()["highlights"] == [[0, 4], [4, 9]]


@pytest.mark.parametrize(
    ("who", "where"),
    [("bob", "2/bees"), ("anna", "1/moths"), ("anna", "1/nothing"), ("anna", "3/bees"), ("carl", "1/bees")],
)
def test_only_what_one_was_given_can_be_judged(served: Served, who: str, where: str) -> None:
    person = served.person(who)
    topic, document = where.split("/")
    assert person.get(f"/api/judgements/{where}").status_code == 403
    assert person.save(topic, document).status_code == 403
    assert served.store.log() == []


def test_administrators_judge_only_what_they_were_given(served: Served) -> None:
    root = served.person("root", "administrator")
    assert root.save("1", "bees").status_code == 403
    served.store.assign("1", "root")
    assert root.save("1", "bees").status_code == 200


def test_nobody_sees_what_others_marked(served: Served) -> None:
    anna, bob = served.person("anna"), served.person("bob")
    anna.save("1", "bees", highlights=[served.highlight("bees", 0, 4)], status="done")
    assert bob.get("/api/judgements/1/bees").json() == NOTHING
    assert bob.save("1", "bees", status="irrelevant").json() == {"version": 1}
    assert anna.get("/api/judgements/1/bees").json()["highlights"] == [[0, 4]]


def test_who_is_not_signed_in_is_told_so(served: Served) -> None:
    anna, nobody = served.person("anna"), served.visitor()
    assert nobody.get("/api/judgements/1/bees").status_code == 401
    assert nobody.save("1", "bees").status_code == 401
    served.now[0] += 13 * 3600
    assert anna.save("1", "bees").status_code == 401
    assert served.store.log() == []


def test_a_save_needs_the_token_of_the_page(served: Served) -> None:
    anna, bob = served.person("anna"), served.person("bob")
    anna.csrf = bob.csrf
    assert anna.save("1", "bees").status_code == 403
    anna.csrf = ""
    assert anna.save("1", "bees").status_code == 403
    assert served.store.log() == []


def test_a_closed_account_saves_nothing(served: Served) -> None:
    anna = served.person("anna")
    served.person("root", "administrator")
    served.store.accounts.change("anna", active=False)
    assert anna.save("1", "bees").status_code == 401


def test_a_save_can_be_large_but_not_endless(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inexlab.web.judgement_api._LARGEST", 1000)
    refused = served.person("anna").save("1", "bees", highlights=[_mark(0, 4, "x" * 2000)])
    assert refused.status_code == 413
