"""How chat completions servers behave, replayed row by row, and what must come of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from werkzeug import Response

from tests.propose.conftest import KEY, Ask, Script, answer, completion, draft
from tests.repo import Repo

pytestmark = pytest.mark.bulk

GOOD = {"candidates": [draft()]}
GOOD_TEXT = json.dumps(GOOD)
OTHER_TEXT = json.dumps({"candidates": [draft(id="clamp_from_a_draft", checks=[{"name": "lo_le_hi", "params": []}])]})


def error(status: int, body: Any, **headers: str) -> Response:
    """An error reply; a text body is sent as it is."""
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(text, status=status, headers=names, content_type=names.pop("content-type", "application/json"))


def worded(status: int, message: str, **more: Any) -> Response:
    return error(status, {"error": {"message": message} | more})


def raw(body: str | bytes, status: int = 200) -> Response:
    return Response(body, status=status, content_type="application/json")


def unless(accepted: Callable[[dict[str, Any]], bool], refusal: Response) -> Any:
    """A server that refuses every body that `accepted` says no to."""
    return lambda body: answer(draft()) if accepted(body) else refusal


def only(*kinds: str | None, status: int = 400, message: str = "response_format is not supported") -> Any:
    """A server that takes these response formats only; None stands for none."""
    wording = worded(status, message)
    return unless(lambda body: body.get("response_format", {}).get("type") in kinds, wording)


@dataclass(frozen=True)
class Row:
    """One behaviour: what the server plays, and the exit code, requests, files and words that must come of it."""

    name: str
    replies: tuple[Any, ...]
    code: int
    requests: int
    says: str = ""
    files: tuple[str, ...] = ()


def taken(
    name: str, *replies: Any, n: int = 1, says: str = "", files: tuple[str, ...] = ("clamp_stays_inside",)
) -> Row:
    return Row(name, replies, 0, n, says, files)


def fails(name: str, *replies: Any, code: int, n: int, says: str) -> Row:
    return Row(name, replies, code, n, says)


THINK = "<think>\nLet me see.\n" + OTHER_TEXT + "\n</think>\n"
QUOTED = {"candidates": [draft(statement="It says ```json and <think> in </think> and stays.")]}
FIVE = [draft(), draft(id="b_one", checks=[{"name": "lo_le_hi", "params": []}]), draft(id="x" * 3, target="os:system")]
CONTEXT = "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens."

ROWS = (
    taken("1 plain", answer(draft())),
    taken("2 empty list", answer(), says="no candidates", files=()),
    taken("3 fence with prose", completion(f"Sure!\n```json\n{GOOD_TEXT}\n```\nHope it helps {{x}}.")),
    taken("3b fence without a language", completion(f"```\n{GOOD_TEXT}\n```")),
    taken("3c prose without a fence", completion(f"Here it is: {GOOD_TEXT} Done.")),
    taken("3d the same object twice", completion(f"{GOOD_TEXT}\n\n{GOOD_TEXT}")),
    taken("4 backticks and tags inside a string", completion(QUOTED)),
    taken("5 a draft inside the reasoning", completion(THINK + GOOD_TEXT)),
    taken("6 an orphan end of reasoning", completion("so " + OTHER_TEXT + " no\n</think>" + GOOD_TEXT)),
    taken("6b reasoning, then a fence", completion(THINK + f"```json\n{GOOD_TEXT}\n```")),
    fails("7 reasoning does not end", completion("<think>" + GOOD_TEXT), code=5, n=2, says="reasoning used the whole"),
    fails("7b cut", completion("<think> hm", finish_reason="length"), code=5, n=2, says="reasoning used the whole"),
    taken("7c a larger answer helps", completion("<think> hm", finish_reason="length"), answer(draft()), n=2),
    taken("8 answer in reasoning_content", completion(None, message={"reasoning_content": GOOD_TEXT})),
    taken("8b answer in reasoning", completion("", message={"reasoning": GOOD_TEXT})),
    fails("8c prose in reasoning", completion(None, message={"reasoning": "I think"}), code=5, n=2, says="empty"),
    fails("9 null content", completion(None), code=5, n=2, says="the answer is empty"),
    fails("9b white space", completion(" \n "), code=5, n=2, says="the answer is empty"),
    taken("9c without a format", lambda b: completion(GOOD if "response_format" not in b else ""), n=2),
    fails("10 cut JSON", completion(GOOD_TEXT[:-9], finish_reason="length"), code=5, n=2, says="cut at the output"),
    fails("10b whole JSON, yet cut", completion(GOOD_TEXT, finish_reason="length"), code=5, n=2, says="cut"),
    taken("10c a larger answer helps", completion(GOOD_TEXT[:50], finish_reason="length"), answer(draft()), n=2),
    fails("10d cut, and it says stop", completion(GOOD_TEXT[:-9]), code=5, n=2, says="cannot be read"),
    fails("11 all reasoning", completion(None, finish_reason="length"), code=5, n=2, says="reasoning used the whole"),
    fails("12 refusal", completion(None, message={"refusal": "I can't."}), code=4, n=1, says="the model refused"),
    fails("12b refusal in words", completion("I'm sorry, but I can't help with that."), code=4, n=1, says="refused"),
    taken("12c an empty refusal is none", completion(GOOD, message={"refusal": ""})),
    fails("13 filtered", completion("", finish_reason="content_filter"), code=4, n=1, says="content policy"),
    fails("13b filtered, 400", worded(400, "flagged", code="content_filter"), code=4, n=1, says="content policy"),
    taken("14 finish_reason null", completion(GOOD, finish_reason=None)),
    taken("14b finish_reason empty", completion(GOOD, finish_reason="")),
    taken("14c finish_reason eos", completion(GOOD, finish_reason="eos")),
    taken("14d error once", completion("", finish_reason="error"), answer(draft()), n=2),
    fails("14e error for ever", completion("", finish_reason="error"), code=4, n=3, says="failing"),
    fails("14f guardrail", completion("", finish_reason="guardrail_intervened"), code=5, n=1, says="guardrail"),
    fails("14g tool calls", completion(None, finish_reason="tool_calls"), code=5, n=1, says="tool_calls"),
    fails("15 two objects", completion(GOOD_TEXT + OTHER_TEXT), code=5, n=2, says="not clear which"),
    taken("15b the second asking helps", completion(GOOD_TEXT + OTHER_TEXT), answer(draft()), n=2),
    taken("17 one bad of three", answer(*FIVE), says="rejected: 'xxx'", files=("b_one", "clamp_stays_inside")),
    fails("17b wrong types", answer({"id": 3, "checks": "x"}), code=5, n=1, says="none of the 1 proposals"),
    fails("17c not even objects", completion({"candidates": [1, None, "x"]}), code=5, n=1, says="no JSON object"),
    fails("17d a list", completion([draft()]), code=5, n=2, says="no JSON object"),
    fails("18 duplicate keys", completion('{"candidates": [], "candidates": []}'), code=5, n=2, says="cannot be read"),
    fails("18b NaN", completion('{"candidates": [NaN]}'), code=5, n=2, says="cannot be read"),
    fails("18c a long integer", completion('{"candidates": [' + "9" * 5000 + "]}"), code=5, n=2, says="cannot be read"),
    fails("18d deep", completion('{"candidates": ' + "[" * 100_000), code=5, n=2, says="cannot be read"),
    fails("18e deep and closed", completion("[" * 9999 + "]" * 9999), code=5, n=2, says="cannot be read"),
    fails("18f the body is deep", raw("[" * 100_000 + "]" * 100_000), code=5, n=1, says="cannot be read"),
    taken("21 an error in a 200", {"choices": None, "error": {"code": 429, "message": "slow"}}, answer(draft()), n=2),
    fails("21b for ever", {"error": {"code": 429, "message": "slow"}}, code=4, n=3, says="too many requests"),
    fails("21c beside an empty choice", completion("", error={"code": 502}), code=4, n=3, says="failing"),
    fails("21d in the choice", {"choices": [{"message": {}, "error": {"code": 402}}]}, code=4, n=1, says="quota"),
    fails("21e without a code", {"error": "boom"}, code=4, n=3, says="boom"),
    fails("23 no choices", {"choices": []}, code=5, n=1, says="the keys choices"),
    fails("23b an envelope", {"code": 0, "data": {}}, code=5, n=1, says="the keys code, data"),
    fails("23c no message", {"choices": [{"text": "x"}]}, code=5, n=1, says="not a chat completion"),
    fails("25 empty body", raw(""), code=5, n=2, says="an empty body"),
    fails("25b truncated", raw('{"choices": [{"mess'), code=5, n=2, says="cannot be read"),
    fails("25c not UTF-8", raw(b'{"choices": "\xff\xfe"}'), code=5, n=2, says="not UTF-8"),
    taken("25d once", raw(""), answer(draft()), n=2),
    fails("25e HTML with 200", raw("<html>Login</html>"), code=5, n=2, says="cannot be read"),
    fails("26 no content", raw("", 204), code=5, n=1, says="not a chat completion"),
    fails("26b null", raw("null"), code=5, n=1, says="a JSON null"),
    fails("26c a list", raw("[]"), code=5, n=1, says="a JSON list"),
    taken(
        "27 the format, as a bare text",
        unless(
            lambda b: "response_format" not in b,
            error(400, {"error": "'response_format.type' must be 'json_schema' or 'text'"}),
        ),
        n=3,
    ),
    taken("28 no schema", only("json_object", None), n=2),
    taken("28b no format at all", only(None), n=3),
    taken("28c 422", only(None, status=422), n=3),
    taken("28d 500 grammar", only(None, status=500, message="Failed to compile grammar with xgrammar"), n=3),
    fails("28e for ever", worded(400, "response_format unsupported"), code=4, n=3, says="no format of answer"),
    taken(
        "29 max_tokens",
        unless(
            lambda b: "max_tokens" not in b,
            worded(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        ),
        n=2,
    ),
    fails("29b both", worded(400, "Unsupported parameter: max_completion_tokens"), code=4, n=2, says="no limit"),
    taken("30 no temperature is sent", unless(lambda b: "temperature" not in b, worded(400, "temperature"))),
    taken("30c the word json", only(None, message="'messages' must contain the word 'json' in some form"), n=3),
    fails("34 unauthorized", error(401, "Unauthorized"), code=4, n=1, says="MY_KEY"),
    fails("34b the key comes back", worded(401, f"Incorrect key: {KEY[:10]}***; {KEY}"), code=4, n=1, says="MY_KEY"),
    fails("37 forbidden", error(403, "Forbidden"), code=4, n=1, says="the model tiny"),
    fails("37b signed keys", error(403, "invalid ohmyagent request"), code=4, n=1, says="signed keys"),
    fails("38 no such page", error(404, "404 page not found"), code=4, n=1, says="base URL"),
    fails("40 quota", worded(429, "x", code="insufficient_quota"), code=4, n=1, says="quota"),
    fails("40b payment", error(402, "Payment Required"), code=4, n=1, says="quota"),
    taken("41 busy once", error(429, "slow down", retry_after="0.01"), answer(draft()), n=2),
    fails("43 garbage", error(429, "slow", retry_after="soon"), code=4, n=3, says="too many requests"),
    fails("43b negative", error(429, "slow", retry_after="-5"), code=4, n=3, says="too many requests"),
    fails("43c zero", error(429, "slow", retry_after="0"), code=4, n=3, says="too many requests"),
    fails("43d an hour", error(429, "slow", retry_after="3600"), code=4, n=1, says="too many requests"),
    fails("43e a flood of digits", error(429, "slow", retry_after="9" * 400), code=4, n=3, says="too many requests"),
    taken("44 loading", *[worded(503, "Loading model", type="unavailable_error")] * 6, answer(draft()), n=7),
    fails("45 HTML", error(502, "<html><h1>502 Bad Gateway</h1></html>"), code=4, n=3, says="502 Bad Gateway"),
    fails("45b Chinese", error(502, "模型服务暂时不可用"), code=4, n=3, says="模型服务暂时不可用"),
    fails("45c overloaded", worded(529, "Overloaded"), code=4, n=3, says="Overloaded"),
    fails("45d control characters", error(500, "a\x1b[31mb\u202e"), code=4, n=3, says="\\x1b[31mb\\u202e"),
    taken("45e once", error(500, "oops"), answer(draft()), n=2),
    fails("46 time-out", error(408, ""), code=4, n=3, says="status 408"),
    fails("46b conflict", error(409, ""), code=4, n=3, says="status 409"),
    fails("47 elsewhere", error(307, "", location="http://127.0.0.1:9/v1/x"), code=4, n=1, says="http://127.0.0.1:9"),
    fails("47b moved", error(301, "", location="/v2/chat"), code=4, n=1, says="redirected"),
    fails("47c without a place", error(302, ""), code=4, n=1, says="redirected to nowhere"),
    fails(
        "47d for good", error(308, "", location="https://u:p@e.example/x?k=1"), code=4, n=1, says="https://e.example"
    ),
    fails("52 large", raw(b" " * (5 << 20)), code=5, n=1, says="larger than 4 MiB"),
    fails("52b a large error", raw(b"x" * (5 << 20), 500), code=5, n=1, says="larger than 4 MiB"),
    taken("61 known", answer(draft(), draft(id="another")), says="duplicate: another"),
    fails(
        "62 not sent", answer(draft(target="tests.test_window:test_clamp")), code=5, n=1, says="no target that was sent"
    ),
    fails("62b not there", answer(draft(evidence="return lo + hi + 1")), code=5, n=1, says="not in what was sent"),
    fails("62c no evidence", answer(draft(evidence="")), code=5, n=1, says="evidence: it must be a text"),
    taken("content in parts", completion(None, message={"content": [{"type": "text", "text": GOOD_TEXT}]})),
    taken("a byte order mark", completion("\ufeff" + GOOD_TEXT)),
    taken("more keys at the top", completion(GOOD | {"notes": "x"})),
    fails("no such top key", completion({"proposals": []}), code=5, n=2, says='under "candidates"'),
    fails("a teapot", error(418, "short and stout"), code=4, n=1, says="short and stout"),
    fails("not implemented", error(501, "nope"), code=4, n=1, says="nope"),
    fails("a validation list", error(422, {"detail": [{"msg": "field required"}]}), code=4, n=1, says="field required"),
    fails("an empty error", error(400, ""), code=4, n=1, says="status 400"),
    fails(
        "answer too long",
        worded(400, "max_tokens must be at most 20 completion tokens"),
        code=4,
        n=2,
        says="--max-tokens",
    ),
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_what_a_server_does_has_its_outcome(row: Row, ask: Ask, branch: Repo, script: Script) -> None:
    before = branch.files()
    script.plays(*row.replies)
    done = ask()
    talk = done.out + done.err
    assert (done.code, len(script.bodies)) == (row.code, row.requests), talk
    assert row.says in talk
    written = {path: branch.read(path) for path in branch.files() if path not in before}
    assert set(written) == {f"invariants/proposed/{name}.yaml" for name in row.files}
    assert {path: mode for path, mode in branch.files().items() if path in before} == before
    assert KEY not in talk + "".join(written.values())
    assert KEY[:10] not in talk
    assert "Traceback" not in talk
    assert not set("\x1b\u202e\u2066\x00") & set(talk)
    if done.code:
        assert "why:" in done.err
        assert "next:" in done.err
