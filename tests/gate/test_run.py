"""`gate run`, `gate classify` and `gate checks` as a user types them."""

from __future__ import annotations

import json
import marshal
import subprocess
import sys
from base64 import b64decode
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from gate.interpreter import find_interpreter
from inventory.digests import canonical_digest
from inventory.errors import CouldNotRun
from tests.gate.lanes import BROKEN_CLAMP, article, one_property
from tests.repo import Repo


def test_the_article_runs_unchanged_and_green(repo: Repo) -> None:
    article(repo)
    before = repo.tree_hash()
    result = repo.run("gate", "run")
    assert (result.code, result.out.splitlines()[0]) == (0, "passed: 2 properties")
    assert repo.tree_hash() == before


def test_a_red_says_what_to_do(repo: Repo) -> None:
    article(repo)
    repo.write({"app/window.py": BROKEN_CLAMP})
    result = repo.run("gate", "run")
    assert result.code == 1
    assert result.out.startswith("1 of 2 properties: not passed\n")
    for words in (
        "invariant_miss  window_bounds  app.window:clamp",
        "law       The bounds are in order and the output lies between them. (lo_le_hi)",
        "input     {'hi': 10, 'lo': 0, 'x': 12}   (sample 2 of tests/fixtures/window_cases.json)",
        "value     12",
        (
            "next      fix production; or, if it is meant, one of these in a PR of its own first:\n"
            "    review amend window_bounds --checks 'lo_le_hi, output_in_range' --reviewer WHO --note TEXT\n"
            "    review retire window_bounds --reviewer WHO --note TEXT\n"
        ),
        "with changes that are not committed",
    ):
        assert words in result.out
    assert "the work tree is judged, and it differs from HEAD" in result.err


def test_the_json_report_is_one_document_that_classify_reads(repo: Repo) -> None:
    article(repo)
    first, second = (repo.run("gate", "run", "--json") for _ in range(2))
    report = json.loads(first.out)
    assert (report["schema_version"], report["dirty"]) == (1, False)
    assert report["commit"] == repo.git("rev-parse", "HEAD")
    assert {row["prop_id"]: row["status"] for row in report["results"]} == {
        "parse_roundtrip": "pass",
        "window_bounds": "pass",
    }
    repo.write({"a.json": first.out, "b.json": second.out})
    compared = repo.run("gate", "classify", "a.json", "b.json")
    assert (compared.code, compared.out) == (0, "parse_roundtrip\tpass\nwindow_bounds\tpass\n")


@pytest.mark.parametrize(
    ("a", "b", "code", "line"),
    [
        ("pass", "pass", 0, "p\tpass"),
        ("invariant_miss", "invariant_miss", 1, "p\tinvariant_miss"),
        ("fixture_drift", "fixture_drift", 1, "p\tfixture_drift"),
        ("pass", "invariant_miss", 1, "p\tnoise"),
        ("pass", "frozen", 3, "p\tprotocol_error"),
    ],
)
def test_classify_reads_the_articles_plain_lists(repo: Repo, a: str, b: str, code: int, line: str) -> None:
    repo.write({name: json.dumps([{"prop_id": "p", "status": s}]) for name, s in (("a", a), ("b", b))})
    result = repo.run("gate", "classify", "a", "b")
    assert (result.code, result.out.strip()) == (code, line)


def test_a_missing_row_is_told(repo: Repo) -> None:
    repo.write({"a": '[{"prop_id": "p", "status": "pass"}]', "b": "[]"})
    result = repo.run("gate", "classify", "--json", "a", "b")
    assert result.code == 3
    assert json.loads(result.out)["rows"] == [{"prop_id": "p", "class": "protocol_error", "why": "pass and missing"}]


def test_junit_is_written_where_told_and_only_there(repo: Repo) -> None:
    article(repo)
    repo.commit("Break it", {"app/window.py": BROKEN_CLAMP})
    before = set(repo.files())
    result = repo.run("gate", "run", "--junit", "../report.xml")
    assert result.code == 1
    assert set(repo.files()) == before
    suite = ET.fromstring((repo.root.parent / "report.xml").read_text())  # noqa: S314  # we have just written it
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    [failure] = suite.iter("failure")
    assert failure.get("type") == "invariant_miss"
    assert repo.run("gate", "run", "--junit", "nowhere/report.xml").code == 3


def test_foreign_text_reaches_terminal_and_xml_made_visible(repo: Repo) -> None:
    one_property(repo, "def fn(x):\n    raise ValueError('\\x1b[31m \\u202e & <b> \\x00')\n", "[non_negative]", [1])
    result = repo.run("gate", "run", "--junit", "report.xml")
    assert "\\x1b[31m \\u202e & <b> \\x00" in result.out
    assert "\x1b" not in result.out
    ET.fromstring(repo.read("report.xml"))  # noqa: S314  # we have just written it


@pytest.mark.parametrize("name", ["gate", "inventory", "review", "propose"])
def test_a_users_package_of_our_name_is_what_the_subject_imports(repo: Repo, name: str) -> None:
    files = {f"{name}/__init__.py": "", f"{name}/core.py": "def fn(x):\n    return x\n"}
    one_property(repo, files, "[non_negative]", [1])
    text = repo.read("invariants/inventory.yaml").replace("module: prod", f"module: {name}.core")
    repo.commit("Aim", {"invariants/inventory.yaml": text})
    result = repo.run("gate", "run", env={"PYTHONPATH": "."})
    assert result.code == 0, result.out + result.err


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["run", "--repeat", "1"], 2, "next:"),
        (["run", "--lane", "../x"], 2, "is no name of a lane"),
        (["run", "--python", "nowhere"], 3, "there is no interpreter nowhere"),
        (["classify", "a.json"], 2, "Missing argument"),
        (["classify", "a.json", "b.json"], 3, "a.json cannot be read"),
        (["no-such-command"], 2, "No such command"),
    ],
)
def test_wrong_use_is_one_clear_error(repo: Repo, arguments: list[str], code: int, words: str) -> None:
    article(repo)
    result = repo.run("gate", *arguments)
    assert result.code == code
    assert words in result.err
    assert "Traceback" not in result.err


def test_an_empty_inventory_is_no_green(repo: Repo) -> None:
    repo.commit("Start", {"prod.py": ""})
    result = repo.run("gate", "run")
    assert (result.code, "no oracle" in result.err) == (3, True)
    assert repo.run("gate", "run", "--allow-empty").code == 0


def test_a_fixture_that_is_not_locked_stops_the_run(repo: Repo) -> None:
    article(repo)
    repo.commit("Unlock", {"invariants/fixture.lock.json": "{}"})
    result = repo.run("gate", "run")
    assert result.code == 3
    assert result.err.count("no entry for the fixture") == 2


def test_a_protocol_error_exits_3(repo: Repo) -> None:
    one_property(repo, "def fn(x):\n    return x\n", "[unknown_check]", [1])
    assert repo.run("gate", "run").code == 3


def test_outside_a_repository_and_before_the_first_commit_there_is_one_error(repo: Repo) -> None:
    assert repo.run("gate", "run").code == 3
    assert repo.run("gate", "run", cwd="..").code == 3


def test_the_catalogue_is_shown(repo: Repo) -> None:
    text = repo.run("gate", "checks")
    assert text.code == 0
    assert "idempotent\n  law     Applying the function to its own output changes nothing." in text.out
    document = json.loads(repo.run("gate", "checks", "--json").out)
    assert document["schema_version"] == 1
    assert {"roundtrip", "lo_le_hi", "never_raises"} <= {check["name"] for check in document["checks"]}


def test_an_interpreter_that_the_tree_itself_brings_is_refused(tmp_path: Path) -> None:
    program = tmp_path / ".venv" / "bin" / "python"
    program.parent.mkdir(parents=True)
    program.symlink_to(sys.executable)
    assert find_interpreter(None, None, tmp_path, ["app/window.py", ".venvs"]).path
    for asked, tracked in (
        (None, [".venv/bin/python"]),
        (None, [".venv"]),
        (None, [".venv/lib/python3.12/site-packages/sitecustomize.py"]),
        (".venv/bin/python", [".venv/bin/python"]),
        ("./.venv/../.venv/bin/python", [".venv/bin"]),
    ):
        with pytest.raises(CouldNotRun, match="part of the tree that is judged"):
            find_interpreter(asked, None, tmp_path, tracked)


def test_an_interpreter_that_leads_to_one_of_the_tree_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "python3").symlink_to(sys.executable)
    (tmp_path / "link").symlink_to("tools/python3")
    script = tmp_path / "script"
    script.write_text(f'#!/bin/sh\nexec {tmp_path}/tools/python3 "$@"\n')
    script.chmod(0o755)
    with pytest.raises(CouldNotRun, match="tools/python3 is part of the tree that is judged"):
        find_interpreter("./script", None, tmp_path, ["tools/python3"])
    (tmp_path / "tools" / "python3").unlink()
    (tmp_path / "tools" / "python3").write_text("#!/bin/sh\n")
    (tmp_path / "tools" / "python3").chmod(0o755)
    with pytest.raises(CouldNotRun, match="tools/python3 is part of the tree that is judged"):
        find_interpreter("./link", None, tmp_path, ["tools/python3"])


def test_what_an_environment_runs_at_its_start_does_not_run_where_the_subject_is_compiled(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", ".venv"], cwd=tmp_path, check=True)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "tracked.py").write_text("import marshal\nmarshal.dumps = lambda codes: b'forged'\n")
    [packages] = tmp_path.glob(".venv/lib/python*/site-packages")
    (packages / "editable.pth").write_text(f"{tmp_path / 'src'}\nimport tracked\n")
    (packages / "thing-1.0.dist-info").mkdir()
    found = find_interpreter(None, None, tmp_path)
    assert found.path == str(tmp_path / ".venv" / "bin" / "python")
    codes = marshal.loads(b64decode(found.program))  # noqa: S302  # ours, if the test is right
    assert [code.co_name for code in codes] == ["<module>"] * 5
    assert found.environment.packages == canonical_digest(["thing-1.0.dist-info"])
