"""Keeps a value inside a window."""


def clamp(lo, hi, x):
    """`x`, or the bound that it passed; the bounds may come in either order."""
    low, high = min(lo, hi), max(lo, hi)
    return max(low, min(high, x))
