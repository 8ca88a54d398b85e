"""What must not matter to a property: the lane called witness varies it, every other lane has it as usual; pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

WITNESS = "witness"
_USUAL = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"}
_VARIED = {
    "PATH": "/usr/bin:/bin",
    "LC_ALL": "C",
    "PYTHONCOERCECLOCALE": "0",
    "PYTHONUTF8": "0",
    "PYTHONIOENCODING": "utf-8",  # what is printed is for people and must not fail
    "PYTHON_CPU_COUNT": "1",
    "TZ": "WITNESS-05:45",
}


@dataclass(frozen=True)
class Conditions:
    """How the subjects of a lane are started, apart from what every lane has in common."""

    env: Mapping[str, str] = field(default_factory=lambda: dict(_USUAL))
    first_hash_seed: int = 1
    backwards: bool = False  # whether the samples come in the opposite of the order that the seed gives
    umask: int = 0o022
    in_tree: bool = True  # whether the code's tree is the working folder, else one of the subject's own
    home: str = ""  # below the subject's own folder
    one_cpu: bool = False
    host: str | None = None  # its name, where the kernel lets it be another

    def told(self, env: Mapping[str, str], host: str | None) -> dict[str, str]:
        """For the report: what two lanes may differ in. `env` is the policy's, `host` the name that was reached."""
        env = {**self.env, **env}
        return {
            "hash_seed": f"from {self.first_hash_seed}",
            "sample_order": "reversed" if self.backwards else "as seeded",
            "time_zone": env["TZ"],
            "locale": env.get("LC_ALL") or env["LANG"],
            "umask": f"{self.umask:03o}",
            "working_folder": "the tree" if self.in_tree else "another",
            "home": self.home or "the subject's folder",
            "processors": "one" if self.one_cpu else "all",
            "host_name": host or "as it is",
        }


def conditions_of(lane: str) -> Conditions:
    """The conditions of a lane by its name."""
    if lane != WITNESS:
        return Conditions()
    return Conditions(
        env=_VARIED, first_hash_seed=1001, backwards=True, umask=0o077, in_tree=False, home="another home",
        one_cpu=True, host=WITNESS,
    )  # fmt: skip
