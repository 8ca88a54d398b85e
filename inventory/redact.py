"""Blanks secrets in a text or in plain data before it leaves: whole literals, counted; pure.

The patterns are those of well known key formats (as their vendors document them) and, for the rest,
a literal that is assigned to a name which says that it is secret. A false hit costs the reader one
literal, a missed one costs the user a key.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MARKER = "BLANKED_SECRET"

_PEM = re.compile(r"-----BEGIN ([A-Z0-9 ]*PRIVATE KEY[A-Z0-9 ]*)-----.*?(?:-----END \1-----|\Z)", re.DOTALL)
_FORMATS = (
    r"sk-(?:proj-|svcacct-|admin-|ant-[a-z0-9]+-|or-v1-|lf-)?[A-Za-z0-9_-]{20,}",  # OpenAI, Anthropic, OpenRouter
    r"oma_[A-Za-z0-9_-]{16,}",
    r"(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}",
    r"(?:glpat|gldt|glrt|glcbt|glptt|glagent|gloas)-[A-Za-z0-9_-]{20,}",
    r"(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[0-9A-Z]{16}",
    r"xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}",
    r"https://hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_+-]{20,}",
    r"(?:sk|rk|pk|whsec)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,}",
    r"AIza[0-9A-Za-z_-]{35}|ya29\.[0-9A-Za-z_-]{20,}|GOCSPX-[0-9A-Za-z_-]{20,}",
    r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    r"npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,}|hf_[A-Za-z0-9]{30,}|dop_v1_[a-f0-9]{64}|shp(?:at|ca|pa|ss)_[a-f0-9]{32}",
    r"SK[0-9a-f]{32}|AC[0-9a-f]{32}|[0-9a-f]{32}-us[0-9]{1,2}|EAAA[A-Za-z0-9_-]{60}|sq0(?:csp|atp)-[A-Za-z0-9_-]{22,}",
    r"[0-9]{8,10}:[A-Za-z0-9_-]{35}",  # Telegram
    r"[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}",  # Discord
    r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)?",  # JSON web token
    r"AGE-SECRET-KEY-1[0-9A-Z]{50,}",
)
_KEY = re.compile(r"(?<![A-Za-z0-9])(?:" + "|".join(_FORMATS) + r")")
_USER_INFO = re.compile(r"(?<=://)[^\s/?#@'\"<>{}]*:[^\s/?#@'\"<>{}]+(?=@)")
_HEADER = re.compile(r"(?i)\b(?:bearer|basic|token)\s+([A-Za-z0-9._~+/=-]{16,})")
_PARAMETER = re.compile(
    r"(?i)(?:AccountKey|SharedAccessKey|Password|Pwd|[?&](?:sig|token|key|secret))=([^;&\s'\"]{8,})"
)
_LITERAL = (
    r"""[rbufRBUF]{0,2}(?:\"{3}.{0,4096}?\"{3}|'{3}.{0,4096}?'{3}"""
    r"""|"(?:\\.|[^"\\\n]){0,4096}"|'(?:\\.|[^'\\\n]){0,4096}')"""
)
_ASSIGNED = (
    r"""["'\w\]-]{0,40}\s*(?::\s*[\w.\[\]|"' ]{1,40}=(?!=)|:=|==|!=|=|:)\s*(?:[\w.]{0,60}\(\s*)?"""
    rf"(?P<value>{_LITERAL}(?:\s*{_LITERAL})*)"
)
_SECRETIVE = (
    r"(?i)(?:passw(?:or)?d|passphrase|secret|credential|api_?-?key|access_?-?key|private_?-?key|auth_?-?key"
    r"|signing_?-?key|encryption_?-?key)"
)
_SECRET_NAME = re.compile(_SECRETIVE + _ASSIGNED, re.DOTALL)
_TOKEN_NAME = re.compile(r"(?i)(?:token|auth|pwd)" + _ASSIGNED, re.DOTALL)
_PLACEHOLDER = re.compile(
    r"(?i)[%{<$].*|\W*|.{0,3}|(?:[\w. -]*(?:passw|secret|credential|key|token)[\w -]*[:.!?]?\s*)", re.DOTALL
)
_SHORT = 3
_ODD = re.compile(r"[^\w-]")
_WORDS = re.compile(r"[A-Za-z_ .:,-]*[!?]?")


@dataclass(frozen=True)
class Redacted:
    """A text without the secrets that were found in it, and how many literals were blanked."""

    text: str
    count: int


def redact(text: str) -> Redacted:
    """`text` with every secret found replaced by `MARKER`; a second pass over the result finds nothing."""
    total = 0
    for pattern, group, blanked, is_secret in _PASSES:
        text, count = _blank(text, pattern, group, blanked, is_secret)
        total += count
    return Redacted(text, total)


def blanked(value: Any, name: str = "") -> tuple[Any, int]:
    """Plain data with every secret in its texts replaced by `MARKER`, and how many there were.

    `name` is what the value is called: the parameter or the key that it stands under.
    """
    if isinstance(value, str):
        return _blanked_text(value, name)
    if isinstance(value, list):
        items = [blanked(item, name) for item in value]
        return [item for item, _ in items], sum(count for _, count in items)
    if isinstance(value, dict):
        pairs = [(_blanked_text(key, ""), blanked(item, key)) for key, item in value.items()]
        return {key: item for (key, _), (item, _) in pairs}, sum(k + v for (_, k), (_, v) in pairs)
    return value, 0


def _blanked_text(text: str, name: str) -> tuple[str, int]:
    found = redact(text)
    named = found.count == 0 and (
        redact(f"{_ODD.sub('_', name)} = {text!r}").count > 0
        or (len(text) > _SHORT and _has_digit(text) and MARKER not in text and bool(re.search(_SECRETIVE, name)))
    )
    return (MARKER, 1) if named else (found.text, found.count)


def _blank(
    text: str, pattern: re.Pattern[str], group: int | str, blanked: str, is_secret: Callable[[str], bool]
) -> tuple[str, int]:
    kept, at, count = [], 0, 0
    for match in pattern.finditer(text):
        value = match.group(group)
        if MARKER not in value and is_secret(value):
            kept += [text[at : match.start(group)], blanked]
            at, count = match.end(group), count + 1
    return "".join([*kept, text[at:]]), count


def _always(_value: str) -> bool:
    return True


def _has_digit(value: str) -> bool:
    return any(c.isdigit() for c in value)


def _is_value(literal: str) -> bool:
    """Whether a literal under the name of a secret is one, and no prompt, placeholder or name of a field."""
    return not _PLACEHOLDER.fullmatch(_inside(literal))


def _is_random(literal: str) -> bool:
    """Stricter, for names that have other meanings too: no mere words either."""
    return len(_inside(literal)) >= 8 and _is_value(literal) and not _WORDS.fullmatch(_inside(literal))


def _inside(literal: str) -> str:
    return literal.lstrip("rbufRBUF").strip("\"'")


_QUOTED = f'"{MARKER}"'
_PASSES: tuple[tuple[re.Pattern[str], int | str, str, Callable[[str], bool]], ...] = (
    (_PEM, 0, MARKER, _always),
    (_KEY, 0, MARKER, _always),
    (_USER_INFO, 0, MARKER, _always),
    (_HEADER, 1, MARKER, _has_digit),
    (_PARAMETER, 1, MARKER, _always),
    (_SECRET_NAME, "value", _QUOTED, _is_value),
    (_TOKEN_NAME, "value", _QUOTED, _is_random),
)
