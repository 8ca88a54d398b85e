"""Keeps a value inside a window."""


def clamp(lo, hi, x):
    """`x`, or the bound that it passed."""
    if x < lo:
        return lo
    if x > hi:
        return hi
    return x
