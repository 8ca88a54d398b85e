"""Secrets are blanked whole and counted; what is none stays as it is."""

from __future__ import annotations

import sysconfig
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inventory.redact import MARKER, redact
from prompts import templates
from propose.leaks import Prompted
from propose.prompt import Templates

BODY = "MIIEpAIBAAKCAQEA7hunter2"
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}\n{BODY}\n-----END RSA PRIVATE KEY-----"
SECRETS = {
    "OpenAI": 'key = "{}"',
    "PEM": 'K = """{}"""',
}
VALUES = [
    "sk-" + "a1B2c3D4" * 4,
    "sk-proj-" + "a1B2c3D4_-" * 4,
    "sk-ant-api03-" + "a1B2c3D4" * 4,
    "oma_" + "a1B2c3D4" * 3,
    "ghp_" + "a1B2c3D4e" * 4,
    "github_pat_" + "a1B2c3D4" * 4,
    "glpat-" + "a1B2c3D4" * 3,
    "AKIA" + "IOSFODNN7EXAMPLE",
    "xoxb-" + "123456789012-abcdef",
    "AIza" + "a1B2c3D" * 5,
    "SG." + "a1B2c3D4" * 3 + "." + "a1B2c3D4" * 3,
    "npm_" + "a1B2c3D4e" * 4,
    "hf_" + "a1B2c3D4e" * 4,
    "sk_live_" + "a1B2c3D4" * 3,
    "eyJ" + "hbGciOiJIUzI1" + ".eyJ" + "zdWIiOiIxMjM0" + ".s1gN",
    PEM,
    PEM.rpartition("-----END")[0],
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: value[:12])
@pytest.mark.parametrize("place", ['x = "{}"', '"""Use {} here."""', "# {}", "url = f'https://h/?q={}'"])
def test_known_forms_of_keys_are_blanked_whole(value: str, place: str) -> None:
    found = redact(place.format(value))
    assert found.count == 1
    assert found.text == place.format(MARKER) or found.text.startswith(place.partition("{}")[0] + MARKER)
    assert BODY not in found.text


@pytest.mark.parametrize(
    "source",
    [
        'password = "hunter2"',
        "PASSWORD: str = 'opensesame'",
        'connect(user="ada", password="s3cret!")',
        '{"api_key": "abcdef"}',
        'SECRET_KEY = (\n    "first-half-"\n    "second-half"\n)',
        'if password == "letmein":',
        "client_secret = b'bytes-of-it'",
        'token = "d41d8cd98f00b204"',
        'db = "postgres://ada:pa55@db/app"',
        'headers = {"Authorization": "Bearer abcdef0123456789abcdef"}',
        'c = "Server=h;Password=p4ssw0rd;"',
        'AWS_SECRET_ACCESS_KEY = os.environ.get("X") or "unused"; access_key = "wJalrXUtnFEMI/K7MDENG"',
    ],
)
def test_a_literal_under_the_name_of_a_secret_is_blanked(source: str) -> None:
    found = redact(source)
    assert found.count >= 1
    assert MARKER in found.text
    for part in (
        "hunter2",
        "opensesame",
        "s3cret",
        "abcdef",
        "half",
        "letmein",
        "bytes-of",
        "d41d8",
        "pa55",
        "p4ss",
        "wJal",
    ):
        assert part not in found.text


@pytest.mark.parametrize(
    "source",
    [
        "x = 1",
        'token = "IDENTIFIER"',
        'PASSWORD_FIELD = "password"',
        'password = getpass("Password: ")',
        'api_key = os.environ["OPENAI_API_KEY"]',
        'secret = ""',
        'url = "https://example.org/a/b?c=d"',
        "def check_password(password: str) -> bool:",
        'key = "name"',
        'raise ValueError("unknown token")',
        "for token in tokens:",
        'password = "{password}"',
        'sha = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"',
    ],
)
def test_what_is_no_secret_stays(source: str) -> None:
    assert redact(source).text == source


@given(
    st.lists(st.sampled_from([*VALUES, 'password = "', '"', "'", "token: ", "\n", "x", "://u:", "@", MARKER])).map(
        "".join
    )
)
def test_a_second_pass_finds_nothing(text: str) -> None:
    once = redact(text)
    assert redact(once.text).text == once.text


def test_our_own_templates_hold_no_secret() -> None:
    assert all(redact(source).count == 0 for source in Templates(templates()).sources.values())


@pytest.mark.parametrize(
    "part", ["a", "sk-", "password", "eyJ", '"', 'password="', "://", "-----BEGIN PRIVATE KEY-----", "\\"]
)
def test_no_text_takes_long(part: str) -> None:
    started = time.process_time()
    redact(part * (60_000 // len(part)))
    assert time.process_time() - started < 5


@pytest.mark.parametrize("name", ["argparse.py", "tokenize.py", "getpass.py", "ast.py", "hashlib.py"])
def test_ordinary_sources_lose_next_to_nothing(name: str) -> None:
    source = (Path(sysconfig.get_path("stdlib")) / name).read_text("utf-8")
    assert redact(source).count <= 1


LINES = st.lists(
    st.text("abc xyz_=()", min_size=20, max_size=40).filter(lambda t: len(t.strip()) >= 20), min_size=1, max_size=4
)


@given(LINES, LINES)
def test_a_line_of_a_left_out_file_alone_is_a_breach(own: list[str], foreign: list[str]) -> None:
    source = "\n".join(own)
    clean = Prompted.of([source], [source])
    assert clean.breach("tests/never_named.py", ["\n".join(own).encode()]) is None
    leaked = Prompted.of([source + "\n" + foreign[0]], [source])
    told = leaked.breach("tests/never_named.py", ["\n".join(foreign).encode()])
    assert (told is None) == all(
        line.strip() in source or line.strip() not in source + "\n" + foreign[0] for line in foreign
    )


def test_the_path_of_a_left_out_file_is_a_breach_unless_the_source_names_it() -> None:
    assert Prompted.of(["see tests/a.py"], ["see"]).breach("tests/a.py", []) == "tests/a.py"
    assert Prompted.of(["see tests/a.py"], ["see tests/a.py"]).breach("tests/a.py", []) is None
