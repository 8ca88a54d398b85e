"""`gate`: runs the human inventory as its own lane and decides; it writes nothing in the repository."""
