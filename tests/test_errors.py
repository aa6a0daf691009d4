"""Messages a user can act on."""

from __future__ import annotations

import pytest

from inexlab.errors import InexlabError, InputError, UnknownNameError, UsageError, nearest_name, printable


def test_input_error_names_file_line_problem_and_way_out() -> None:
    error = InputError("7 columns, expected 8", file="run.txt", line=3, fix="Split the file.")
    assert str(error) == "run.txt, line 3: 7 columns, expected 8. Split the file."
    assert (error.file, error.line, error.problem, error.fix) == (
        "run.txt",
        3,
        "7 columns, expected 8",
        "Split the file.",
    )


def test_input_error_without_line_or_way_out_is_still_one_sentence() -> None:
    assert str(InputError("is empty", file="run.txt")) == "run.txt: is empty."


def test_a_full_stop_is_not_doubled() -> None:
    assert str(InputError("is empty.", file="run.txt")) == "run.txt: is empty."


@pytest.mark.parametrize("kind", [InputError, UnknownNameError, UsageError])
def test_one_except_clause_catches_every_user_error(kind: type[Exception]) -> None:
    assert issubclass(kind, InexlabError)


def test_unknown_name_suggests_the_nearest_and_lists_the_known() -> None:
    error = UnknownNameError("measure", "maip", ["gP", "MAiP"])
    assert str(error) == "unknown measure 'maip'; did you mean 'MAiP'? Known: gP, MAiP."
    assert error.known == ["gP", "MAiP"]


def test_unknown_name_far_from_all_known_suggests_nothing() -> None:
    assert str(UnknownNameError("measure", "zzz", ["MAiP"])) == "unknown measure 'zzz'. Known: MAiP."


def test_unknown_name_where_nothing_is_known() -> None:
    assert str(UnknownNameError("measure", "zzz", [])) == "unknown measure 'zzz'."


@pytest.mark.parametrize(
    ("name", "expected"),
    [("MAIP", "MAiP"), ("MAgp", "MAgP"), ("jsonlines", "jsonl"), ("quite other", None), ("", None)],
)
def test_nearest_name_ignores_case_and_knows_when_to_give_up(name: str, expected: str | None) -> None:
    assert nearest_name(name, ["MAiP", "MAgP", "jsonl"]) == expected


def test_what_a_terminal_would_obey_is_written_as_an_escape() -> None:
    assert printable("café 漢字 /a[1]") == "café 漢字 /a[1]"
    assert printable("a\nb\x1b[31m\u2028\ud800") == "a\\nb\\x1b[31m\\u2028\\ud800"
