"""Pages of assessors and administrators, and judgements in and out."""

from __future__ import annotations

import html
import io
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from httpx2 import Response

from inexlab.assess.store import open_store
from inexlab.judgements import read_judgements
from inexlab.judgements.write import judgement_writers
from tests.web.campaign import PASSWORD
from tests.web.conftest import Person, Served


def words(answer: Response) -> str:
    """Return what a page says."""
    main = answer.text.partition("<main")[2].partition(">")[2]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", main)).split())


def test_my_topics_with_progress_and_time_left(served: Served) -> None:
    anna = served.person("anna")
    assert anna.get("/").headers["location"] == "/topics"
    assert "0 of 5" in words(anna.get("/topics"))
    anna.save("1", "bees", status="irrelevant", seconds=30)
    anna.save("1", "wasps", save="k2", highlights=[served.highlight("wasps", 0, 5)], seconds=20)
    shown = anna.get("/topics")
    assert "Documents finished 1 of 5 In progress 1 Time so far 50 s Time left, about 2 min" in words(shown)
    assert "bees that dance Topic 1 1 of 3 50 s so far, about 1 min left Continue topic 1" in words(shown)
    assert 'href="/judge/1/wasps"' in shown.text
    assert "insects Topic 2 0 of 2 0 s so far, about 1 min left Begin topic 2" in words(shown)


def test_a_topic_with_its_documents(served: Served) -> None:
    anna = served.person("anna")
    anna.save("1", "bees", status="irrelevant", seconds=30)
    topic = anna.get("/topics/1")
    said = words(topic)
    assert "castitle //p[about(., bees)]" in said
    assert "description How bees <script>dance</script>." in said
    assert "narrative All about dances." in said
    assert "Bees bees irrelevant 30 s" in said
    assert "all (3) unassessed (2) in progress (0) done (0) irrelevant (1)" in said
    assert 'href="/judge/1/sub/ants"' in topic.text
    assert "<script>" not in topic.text.replace('<script src="', "")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in topic.text
    only = words(anna.get("/topics/1?status=unassessed"))
    assert "Wasps" in only
    assert "Bees bees" not in only
    assert "None of the documents is done" in words(anna.get("/topics/1?status=done"))
    assert "<b>" not in anna.get("/topics/1?status=<b>x</b>").text


def test_finished_topics_say_so(served: Served) -> None:
    anna = served.person("anna")
    for document in ("wasps", "bees"):
        anna.save("2", document, save=document, status="irrelevant", seconds=4)
    assert "all finished in 8 s finished" in words(anna.get("/topics"))
    assert "All documents of this topic are finished" in words(anna.get("/topics/2"))


def test_who_has_no_topic_is_told(served: Served) -> None:
    assert "You have not been given a topic yet" in words(served.person("carl").get("/topics"))


def test_an_invitation_from_the_link_to_the_first_save(served: Served) -> None:
    root = served.person("root", "administrator")
    made = root.send("/admin/invitations", name="anna", role="assessor", new="yes")
    [link] = re.findall(r"<code>http://testserver(/join/[^<]+)</code>", made.text)
    anna = served.visitor()
    assert "Welcome, anna" in anna.load(link).text
    assert anna.send(link, password=PASSWORD, again="another").status_code == 400
    assert anna.send(link, password="short", again="short").status_code == 400
    assert anna.send(link, password=PASSWORD, again=PASSWORD).headers["location"] == "/"
    assert "bees that dance" in anna.load("/topics").text
    assert anna.save("1", "bees").status_code == 200
    assert served.visitor().get(link).status_code == 404
    assert "This link has ended" in served.visitor().get(link).text


def test_a_new_password_signs_out_elsewhere_and_not_here(served: Served) -> None:
    here, there = served.person("anna"), served.person("anna")
    fields = {"old": PASSWORD, "password": "quite another password", "again": "quite another password"}
    assert here.send("/account", **{**fields, "old": "wrong"}).status_code == 400
    assert here.send("/account", **{**fields, "again": "different one"}).status_code == 400
    assert here.send("/account", **fields).status_code == 303
    assert "The password is changed." in here.get("/account?changed=yes").text
    assert there.get("/account").status_code == 303


def test_accounts_are_changed(served: Served) -> None:
    root = served.person("root", "administrator")
    served.person("anna")
    page = words(root.get("/admin/accounts"))
    assert "Named by the plan, without an account Invite bob" in page
    assert root.send("/admin/accounts", name="anna", what="administrator").status_code == 303
    assert served.store.accounts.find("anna") == ("anna", "administrator", True)
    assert root.send("/admin/accounts", name="anna", what="close").status_code == 303
    assert "anna administrator (closed)" in words(root.get("/admin/accounts"))
    last = root.send("/admin/accounts", name="root", what="close")
    assert (last.status_code, "last administrator" in last.text) == (400, True)
    assert root.send("/admin/accounts", name="anna", what="delete").status_code == 400
    again = root.send("/admin/invitations", name="anna", new="yes")
    assert "There is an account anna already" in words(again)
    assert root.send("/admin/invitations", name="", new="yes").status_code == 400
    assert "Send this link to anna" in words(root.send("/admin/invitations", name="anna"))
    root.send("/admin/invitations", name="<i>bob</i>", new="yes")
    assert "<i>" not in root.get("/admin/accounts").text


def test_assignments_are_changed(served: Served) -> None:
    root = served.person("root", "administrator")
    assert "anna 0 of 3 take off anna from topic 1" in words(root.get("/admin/assignments"))
    gone = root.send("/admin/assignments", topic="1", name="anna", what="remove")
    assert gone.headers["location"] == "/admin/assignments#topic-1"
    root.send("/admin/assignments", topic="2", name="root", what="add")
    assert served.store.assignments() == {"1": ["bob"], "2": ["anna", "root"]}
    for topic, name in (("3", "anna"), ("1", "")):
        assert root.send("/admin/assignments", topic=topic, name=name, what="add").status_code == 400
    assert served.person("anna").get("/api/judgements/1/bees").status_code == 403


def test_administrators_see_how_far_everybody_is(served: Served) -> None:
    root, anna = served.person("root", "administrator"), served.person("anna")
    anna.save("1", "bees", status="irrelevant", seconds=40)
    anna.save("1", "wasps", save="2", status="done", highlights=[served.highlight("wasps", 0, 5)], seconds=20)
    page = words(root.get("/admin"))
    assert "Judgements finished 2 of 8" in page
    assert "anna 2 of 3 1 60 s 30 s 30 s" in page.replace("1 min", "60 s")
    topic = words(root.get("/admin/topics/1"))
    assert "Document anna bob Bees irrelevant 40 s unassessed Wasps done 20 s unassessed" in topic
    assert root.get("/admin/topics/3").status_code == 404
    served.store.unassign("2", "anna")
    assert "Nobody judges topic 2." in words(root.get("/admin"))


@pytest.fixture
def judged(served: Served) -> Served:
    """A laboratory where anna and bob have judged."""
    anna, bob = served.person("anna"), served.person("bob")
    mark = served.highlight
    anna.save(
        "1", "bees", status="done", highlights=[mark("bees", 0, 10), mark("bees", 12, 20)], best_entry=0
    )
    anna.save("1", "wasps", save="2", status="irrelevant")
    anna.save("2", "bees", save="3", highlights=[mark("bees", 0, 4)])  # in progress
    bob.save("1", "bees", status="done", highlights=[mark("bees", 4, 16)])
    return served


def export(person: Person, **query: str) -> Response:
    return person.get("/admin/export", params=query)


def test_everything_is_exported_with_its_assessors(judged: Served) -> None:
    root = judged.person("root", "administrator")
    rows = [json.loads(line) for line in export(root, format="jsonl").text.splitlines()]
    size = len(judged.text("bees"))
    anna, bob = ({"kind": "person", "name": name} for name in ("anna", "bob"))
    assert rows == [
        {"topic": "1", "doc": "bees", "spans": [[0, 10], [12, 20]], "bep": 0, "size": size, "assessor": anna},
        {"topic": "1", "doc": "bees", "spans": [[4, 16]], "size": size, "assessor": bob},
        {"topic": "1", "doc": "wasps", "spans": [], "size": len(judged.text("wasps")), "assessor": anna},
    ]
    more = export(root, format="jsonl", unfinished="yes").text.splitlines()
    assert [json.loads(line)["topic"] for line in more] == ["1", "1", "1", "2"]


def test_exports_of_one_assessor_and_merged(judged: Served) -> None:
    root = judged.person("root", "administrator")
    size, other = len(judged.text("bees")), len(judged.text("wasps"))
    one = export(root, format="qrels", assessor="bob")
    assert one.text == f"1 Q0 bees 12 {size} 4 4:12\n"
    assert one.headers["content-disposition"] == 'attachment; filename="judgements-bob-qrels.txt"'
    merged = export(root, format="qrels", merge="intersection")
    assert merged.text == f"1 Q0 bees 10 {size} 0 4:6 12:4\n1 Q0 wasps 0 {other}\n"
    refused = export(root, format="qrels")
    assert (refused.status_code, "judged by several assessors" in refused.text) == (400, True)
    assert export(root, format="nothing").status_code == 400
    assert export(root, format="jsonl", assessor="carl").status_code == 400


@pytest.mark.parametrize("format", list(judgement_writers))
def test_every_format_is_exported_or_refused_in_words(judged: Served, format: str, tmp_path: Path) -> None:
    answer = export(judged.person("root", "administrator"), format=format, merge="union")
    if answer.status_code == 400:
        assert re.search(r'role="alert">[^<]{20,}', answer.text)
        assert format in ("assessments-2002", "assessments-2004")  # grades that highlights do not give
        return
    if answer.content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            archive.extractall(tmp_path / "found")
    else:
        (tmp_path / "found").write_bytes(answer.content)
    assert "1" in read_judgements(tmp_path / "found").topics


def bring_in(person: Person, *files: tuple[str, bytes], **fields: str) -> Response:
    return person.client.post(
        "/admin/exchange",
        data={"csrf": person.csrf, **fields},
        files=[("files", (name, content)) for name, content in files],
    )


def test_what_was_exported_comes_in_again(judged: Served, make_served: Callable[..., Served]) -> None:
    root = judged.person("root", "administrator")
    given = export(root, format="jsonl").content
    before = judged.store.log()
    same = bring_in(root, ("judgements.jsonl", given))
    assert "0 judgements brought in; 3 here already." in words(same)
    assert judged.store.log() == before
    judged.store.close()
    for file in Path(judged.store.database.path).parent.glob("judged.db*"):
        file.unlink()
    new = make_served()
    root = new.person("root", "administrator")
    assert "3 judgements brought in." in words(bring_in(root, ("judgements.jsonl", given)))
    assert export(root, format="jsonl").content == given
    assert {entry.author for entry in new.store.log()} == {"root"}
    assert new.store.assessment("bob", "1", "bees").highlights == ((4, 16),)
    assert [p.finished for p in new.store.progress("anna")] == [2, 0]
    assert new.store.replay() == new.store.assessments()


def test_an_import_replaces_nothing_unless_told_to(judged: Served) -> None:
    root = judged.person("root", "administrator")
    given = b"1 Q0 bees 4 %d 0 0:4\n" % len(judged.text("bees"))
    assert "say whose judgements they are" in words(bring_in(root, ("q.txt", given)))
    kept = bring_in(root, ("q.txt", given), assessor="anna")
    assert "0 judgements brought in; 1 left out, as something else is here." in words(kept)
    assert judged.store.assessment("anna", "1", "bees").version == 1
    replaced = bring_in(root, ("q.txt", given), assessor="anna", replace="yes")
    assert "1 put in the place of what was here" in words(replaced)
    assert judged.store.assessment("anna", "1", "bees")[:4] == (2, ((0, 4),), 0, "done")
    # the record has both, and a page that was open meanwhile is told
    assert [e.version for e in judged.store.log() if e[3:6] == ("anna", "1", "bees")] == [1, 2]
    assert judged.person("anna").save("1", "bees", save="late", base=1).status_code == 409


def test_an_import_is_of_the_text_that_was_judged(judged: Served) -> None:
    root = judged.person("root", "administrator")
    judged.lab._digests["bees"] = "of another text"
    refused = bring_in(root, ("q.txt", b"1 Q0 bees 4 41 0 0:4\n"), assessor="carl")
    del judged.lab._digests["bees"]
    assert (refused.status_code, "not the one that was judged before" in refused.text) == (400, True)


def test_folders_come_in_as_archives_or_as_several_files(judged: Served) -> None:
    root = judged.person("root", "administrator")
    packed = export(root, format="assessments-2006", merge="union").content
    assert packed.startswith(b"PK")
    added = bring_in(root, ("a.zip", packed), assessor="carl")
    assert "1 judgement brought in; 1 here already" in words(added)  # the format names who judged
    assert judged.store.assessment("union(anna+bob)", "1", "bees").highlights == ((0, 20),)
    rows = [{"topic": "1", "doc": doc, "spans": [[0, 3]], "assessor": "dora"} for doc in ("bees", "moths")]
    files = [(f"{i}.jsonl", json.dumps(row).encode()) for i, row in enumerate(rows)]
    said = words(bring_in(root, *files))
    assert "2 judgements brought in; 1 beside the pool." in said


def test_models_keep_their_kind_and_version(judged: Served) -> None:
    root = judged.person("root", "administrator")
    model = {"kind": "model", "name": "judge", "version": "3"}
    row = {"topic": "1", "doc": "bees", "spans": [[0, 3]], "assessor": model}
    assert "1 judgement brought in." in words(bring_in(root, ("m.jsonl", json.dumps(row).encode())))
    [line] = export(root, format="jsonl", assessor="judge/3").text.splitlines()
    assert json.loads(line)["assessor"] == model


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("empty.txt", b"", "Choose a file"),
        ("nothing.txt", b"what is this?", "nothing.txt, line 1: is not judgements in a known format"),
        ("q.txt", b"1 Q0 nowhere 4 10 0 0:4\n", "document nowhere of topic 1 is not in this collection"),
        ("q.txt", b"1 Q0 bees 400 500 0 0:400\n", "no text from 0 to 400"),
        ("bad.zip", b"PK\x03\x04 and no more", "bad.zip cannot be unpacked"),
        ("<b>.txt", b"x", "is not judgements"),
    ],
)
def test_what_cannot_come_in_changes_nothing(judged: Served, name: str, content: bytes, reason: str) -> None:
    root = judged.person("root", "administrator")
    before = judged.store.log()
    good = ("good.txt", b"1 Q0 wasps 4 %d 0 0:4\n" % len(judged.text("wasps")))
    refused = bring_in(root, *([good] if b"Q0" in content else []), (name, content), assessor="carl")
    assert refused.status_code == 400
    assert reason in words(refused)
    assert "/tmp" not in refused.text
    assert judged.store.log() == before


def test_archives_cannot_write_elsewhere_or_grow_without_end(
    judged: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = judged.person("root", "administrator")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../../../evil.txt", "1 Q0 wasps 4 30 0 0:4\n")
        archive.writestr("/etc/evil.txt", "1 Q0 bees 4 60 0 0:4\n")
    assert "2 judgements brought in" in words(bring_in(root, ("a.zip", packed.getvalue()), assessor="carl"))
    assert not list(tmp_path.parent.rglob("evil.txt"))
    monkeypatch.setattr("inexlab.web.administration._LARGEST_IMPORT", 10)
    assert "more than 1 GiB together" in words(bring_in(root, ("a.zip", packed.getvalue()), assessor="carl"))
    monkeypatch.undo()
    monkeypatch.setattr("inexlab.web.exchange._LARGEST", 10)
    assert "holds more than 1 GiB" in words(bring_in(root, ("a.zip", packed.getvalue()), assessor="carl"))


def test_a_backup_is_downloaded(judged: Served, tmp_path: Path) -> None:
    answer = judged.person("root", "administrator").get("/admin/backup")
    (tmp_path / "copy.db").write_bytes(answer.content)
    copy = open_store(tmp_path / "copy.db")
    assert copy.log() == judged.store.log()
    copy.close()


def test_exporting_nothing_says_so(served: Served) -> None:
    answer = export(served.person("root", "administrator"), format="jsonl")
    assert (answer.status_code, "nothing to export yet" in answer.text) == (400, True)
