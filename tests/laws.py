"""Laws that try to get out, or to take everything, as data; and a function under test without a process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from inventory.functions import functions_of
from inventory.law_check import law
from inventory.target import Answer, Around, Function, Raised

ESCAPES = (
    # the way up to object, and down to whatever was loaded
    "().__class__.__bases__[0].__subclasses__() == f(x)",
    "''.__class__.__mro__[1].__subclasses__()[40]('/etc/passwd').read() == f(x)",
    "[].__class__.__base__.__subclasses__() == f(x)",
    "f.__globals__['__builtins__']['eval']('1') == f(x)",
    "f.__code__.co_consts == f(x)",
    "f(x).__class__.__init__.__globals__ == 1",
    "{}.__class__.__getattribute__ == f(x)",
    "(lambda: 0).__code__ == f(x)",
    "f.__self__ == x",
    "x.__reduce__() == f(x)",
    "x.__reduce_ex__(2)[0] == f(x)",
    "(i for i in x).gi_frame.f_back.f_globals == f(x)",
    "[g.gi_frame.f_builtins for g in [(1 for _ in x)]] == f(x)",
    "f(x).cr_frame.f_globals == 1",
    "f(x).func_globals == 1",
    "''.format.__self__ == f(x)",
    "x.append.__self__ == f(x)",
    "str.__subclasses__ == f(x)",
    "type(x).__mro__ == f(x)",
    "f(x).real == x",
    "x.items == f(x)",
    "Exception().with_traceback(None) == f(x)",
    "f(x).__traceback__.tb_frame == 1",
    # functions that nobody listed
    "__import__('os').system('id') == f(x)",
    "eval('1') == f(x)",
    "exec('import os') == f(x)",
    "compile('1', '', 'eval') == f(x)",
    "open('/etc/passwd').read() == f(x)",
    "getattr(x, '__cla' + 'ss__') == f(x)",
    "setattr(x, 'a', 1) == f(x)",
    "globals() == f(x)",
    "locals()['x'] == f(x)",
    "vars() == f(x)",
    "dir(x) == f(x)",
    "breakpoint() == f(x)",
    "input() == f(x)",
    "print(x) == f(x)",
    "type('A', (), {'__eq__': 1}) == f(x)",
    "object() == f(x)",
    "super() == f(x)",
    "memoryview(b'') == f(x)",
    "exit() == f(x)",
    "help() == f(x)",
    "__builtins__ == f(x)",
    "__builtins__['eval'] == f(x)",
    "f.mro() == f(x)",
    "os.system('id') == f(x)",
    "map(eval, x) == f(x)",
    "[eval][0]('1') == f(x)",
    "(eval if x else exec)('1') == f(x)",
    "f(eval) == x",
    "sorted(x, key=eval) == f(x)",
    "sorted(x, key=__import__) == f(x)",
    "max(x, key=f) == f(x)",
    # formatting, and what else hides a way in a text
    "'{0.__class__}'.format(x) == f(x)",
    "'{0.__class__.__bases__[0]}'.format_map(x) == f(x)",
    "format(x, '>1000000000') == f(x)",
    "f'{x.__class__}' == f(x)",
    "f'{x!r:>{10**9}}' == f(x)",
    "'%1000000000d' % x == f(x)",
    "'%s' % f == f(x)",
    "b'%c' * 3 == f(x)",
    # statements in disguise
    "(y := f) == f(x)",
    "[y := eval for _ in x] == f(x)",
    "lambda: f(x)",
    "(lambda g: g(g))(lambda g: g(g)) == f(x)",
    "sorted(x, key=lambda a, b=eval: a) == f(x)",
    "sorted(x, key=lambda *a: a) == f(x)",
    "sorted(x, key=lambda: 1) == f(x)",
    "max(lambda a: a, x) == f(x)",
    "(yield f(x)) == 1",
    "(yield from x) == f(x)",
    "await f(x) == 1",
    "[i async for i in x] == f(x)",
    "f(*x) == 1",
    "f(**x) == 1",
    "[*x] == f(x)",
    "{**x} == f(x)",
    "[i for i.real in x] == f(x)",
    "[0 for x[0] in x] == f(x)",
    "import os",
    "f(x) = 1",
    "f(x); f(x)",
    "f(x) == 1 # all is well",
    "assert f(x)",
    "del x",
    "f(x) == 1 if",
    "f(x) == 1if x else 2",
    "f(x) == '\\d'",
    "f(x) is x",
    "f(x) == ...",
    "f(x) == 1j",
    "f(x) == b'1'",
    "x @ x == f(x)",
    # names that look like others, and characters that hide
    "\u1d07\u1d20\u1d00\u029f('1') == f(x)",
    "\U0001d41e\U0001d42f\U0001d41a\U0001d425('1') == f(x)",
    "x.\uff3f\uff3fclass\uff3f\uff3f == f(x)",
    "\uff46(x) == f(x)",
    "f(x) == '\u202e'",
    "f(x) ==\u00a01",
    "f(x) == 1\n",
    "f(x) == \\\n1",
    "f(x) ==\t1",
    "f(x) == '\x00'",
    "f(x) == 1\x00",
    "\ufefff(x) == 1",
    "",
    "   ",
    # more than a reader, or the parser, can take
    "(" * 250 + "f(x)" + ")" * 245,
    "[" * 240 + "]" * 240 + " == f(x)",
    "-" * 480 + "f(x) == 1",
    "not " * 120 + "f(x)",
    "f(" * 100 + "x" + ")" * 100 + " == x",
    "x" + "[0]" * 100 + " == f(x)",
    "f(x) == " + "1" * 480,
    "f(x) == 0x" + "f" * 450,
    "f(x) == 1e999",
    "f(x) == " + "+".join(["1"] * 230),
    "f(x) == 1" + " " * 500,
    "f(x)[1:2, 3] == 1",
)

BOMBS = (
    "9**9**9 == f(x)",
    "2**100000000 == f(x)",
    "f(x) ** 99999999 == 1",
    "1 << 10**12 == f(x)",
    "(10**400) ** (10**400) == f(x)",
    "'a' * 10**10 == f(x)",
    "[0] * 10**9 == f(x)",
    "10**9 * [0] == f(x)",
    "('a' * 40000) + ('b' * 40000) == f(x)",
    "list(range(10**9)) == f(x)",
    "range(10**30) == f(x)",
    "sum(range(10**12)) == f(x)",
    "[i for i in range(40000) for j in range(40000)] == f(x)",
    "sum(1 for a in range(9999) for b in range(9999) for c in range(9999)) == f(x)",
    "all(True for a in range(40000) for b in range(40000)) == f(x)",
    "len({(a, b) for a in range(2000) for b in range(2000)}) == f(x)",
    "{a: {b: 1 for b in range(5000)} for a in range(5000)} == f(x)",
    "''.join(['a' * 40000] * 40000) == f(x)",
    "('a' * 40000).replace('a', 'b' * 40000) == f(x)",
    "'1'.zfill(10**10) == f(x)",
    "'1'.ljust(10**10) == f(x)",
    "'1'.center(10**10, 'x') == f(x)",
    "int('9' * 40000) == f(x)",
    "int('f' * 40000, 16) == f(x)",
    "str(7**2000 * 7**2000) == f(x)",
    "str([[['\\x01' * 40000] * 9] * 99] * 99) == f(x)",
    "[[[[[[x] * 99] * 99] * 99] * 99] * 99] * 99 == f(x)",
    "[[[[[['a'] * 99] * 99] * 99] * 99] * 99] == [[[[[['a'] * 99] * 99] * 99] * 99] * 99] or f(x)",
    "sorted([[[['a'] * 99] * 99] * 99] * 99) == f(x)",
    "hash((((((1,) * 99,) * 99,) * 99,) * 99,) * 99) == f(x)",
    "{((((1,) * 99,) * 99,) * 99,) * 99} == f(x)",
    "max([(((1,) * 999,) * 999,) * 9] * 99) == f(x)",
    "list(zip(range(49999), range(49999), range(49999))) * 9 == f(x)",
    "round(1, -10**9) == f(x)",
    "round(10**300, -10**6) == f(x)",
    "sorted(range(49999), key=lambda i: sum(range(i))) == f(x)",
    "('a' * 49999).split('a') * 2 == f(x)",
    "[('a' * 49999).count('b') for i in range(49999)] == f(x)",
    "[x for x in [list(range(9999))] * 9999 if x in [x] * 9] == f(x)",
    "any(str(i) in ('1' * 49999) for i in range(2, 49999)) == f(x)",
    "f(list(range(49999))) == f(list(range(49999))) == f(list(range(49999)))",
    "all(f(i) == f(i) for i in range(49999))",
    "[f(i) for i in range(49999)] == x",
    "10**2000 // 3**999 % 7 * 10**2000 == f(x)",
    "pow(7, 10**9, 10**9) == f(x)",
    # as much in one step of ours as many of Python's own
    "all(all(t) for t in [[1] * 49999] for i in range(9999)) == f(x)",
    "[any(t) for t in [[0] * 49999] for i in range(9999)] == f(x)",
    "[''.startswith(t) for t in [tuple(['a'] * 49999)] for i in range(9999)] == f(x)",
    # 2**61 - 1 is where the hashes of Python's numbers begin anew
    "len(set(range(0, 49999 * 2305843009213693951, 2305843009213693951))) == f(x)",
    "{i: 1 for i in range(0, 9999 * 2305843009213693951, 2305843009213693951)} == f(x)",
    "len(dict(zip(range(0, 39999 * 2305843009213693951, 2305843009213693951), range(39999)))) == f(x)",
    "set().issuperset(range(0, 49999 * 2305843009213693951, 2305843009213693951)) == f(x)",
)


def tried(text: str, function: Callable[..., Any], sample: Any, *, source: str = "def f(x): pass") -> None:
    """Judge a law on one sample of a function named f, which is called right here."""
    law(on(source, f=function), sample, text)


def on(source: str, call: str = "sample", **functions: Callable[..., Any]) -> Function:
    """The first of some functions as a check sees it, the others beside it in the same module."""

    def send(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], *, after: bool = False) -> Answer:
        del after
        try:
            return Answer(functions[name](*args, **kwargs))
        except Exception as error:  # noqa: BLE001  # whatever the function raises
            raise Raised.of(_names(type(error).__mro__), str(error)) from None

    first, *others = functions
    [found] = [function for function in functions_of(source.encode()) or () if function.qualname == first]
    return Function(send, first, call, Around(found.parameters, tuple(others)))


def _names(kinds: Sequence[type]) -> tuple[str, ...]:
    return tuple(kind.__name__ for kind in kinds if kind is not object)
