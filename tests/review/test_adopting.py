"""A repository with history takes up the inventory: candidates from old commits, recorded calls, one promotion."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.repo import Repo

CODE = "def normalize_text(text: str, joint: str = ' ') -> str:\n    return joint.join(text.split())\n"
FIXTURE = "tests/fixtures/texts.json"


@pytest.fixture
def adopting(repo: Repo) -> Repo:
    """A repository whose one function came after its first commit, with candidates on a branch made from that."""
    repo.commit("Start", {"README.md": "x\n"})
    repo.commit("Normalize", {"app/__init__.py": "", "app/text.py": CODE})
    repo.branch("oracle")
    assert repo.call("review", "init", "--owner", "@ada").code == 0
    repo.commit("Lay an inventory", {FIXTURE: '[["a  b", " "], ["", " "], [" c ", " "]]\n'})
    done = repo.call("propose", "--base", "main~1", "--to-branch", "candidates")
    assert done.code == 0, done.err
    return repo


def _first(repo: Repo) -> str:
    return repo.call("review", "list", "--from", "candidates").out.split()[0]


def test_a_branch_of_candidates_alone_is_tried_on_the_code_that_is_checked_out(adopting: Repo) -> None:
    assert not adopting.git("ls-tree", "candidates", "app")
    done = adopting.call("review", "check", _first(adopting), "--from", "candidates", "--fixture", FIXTURE)
    assert done.code == 0, done.out
    assert "the work tree, as base: pass, 3 samples green" in done.out


def test_a_branch_that_brings_code_is_tried_on_its_own(adopting: Repo) -> None:
    adopting.git("checkout", "--quiet", "candidates")
    adopting.commit("Code besides", {"app/__init__.py": "", "app/text.py": CODE.replace("joint.join", "joint.joint")})
    adopting.git("checkout", "--quiet", "oracle")
    done = adopting.call("review", "check", _first(adopting), "--from", "candidates", "--fixture", FIXTURE)
    assert "candidates (" in done.out
    assert "raised AttributeError" in done.out


def test_the_printed_promotion_makes_calls_as_the_samples_look_meant(adopting: Repo) -> None:
    name = _first(adopting)
    told = adopting.call("review", "promote", name, "--from", "candidates", "--fixture", FIXTURE)
    [command] = re.findall(r"^review promote .*$", told.err, re.MULTILINE)
    assert "--call args" in command
    assert adopting.call(*shlex.split(command)).code == 0
    adopting.commit("Promote")
    assert adopting.call("gate", "check", "--base", "main").code == 0


def test_what_cannot_be_tried_is_told_with_its_own_id(adopting: Repo) -> None:
    adopting.git("checkout", "--quiet", "candidates")
    adopting.commit(
        "Two more",
        {
            f"invariants/proposed/{n}.yaml": f"id: {n}\nmodule: app.text\nfn: normalize_text\nchecks: [{c}]\n"
            for n, c in (("text_one", "never_raises"), ("text_two", "does_not_mutate"))
        },
    )
    adopting.git("checkout", "--quiet", "oracle")
    told = adopting.call("review", "check", "--all", "--from", "candidates").out
    assert "review fixture text_one --out tests/fixtures/text_one.json" in told
    assert "review fixture text_two --out tests/fixtures/text_two.json" in told
