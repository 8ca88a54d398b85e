"""Settings as one line of text: `volume=7;bass=3`."""


def parse(text):
    """The settings that a line holds, as a dict of texts."""
    if not text:
        return {}
    return dict(part.split("=", 1) for part in text.split(";"))


def render(settings):
    """The line that `parse` reads back."""
    return ";".join(f"{name}={value}" for name, value in settings.items())
