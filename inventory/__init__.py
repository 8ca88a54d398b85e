"""Ground floor: what the files of an invariant inventory mean, and the doors to git, disk and terminal."""
