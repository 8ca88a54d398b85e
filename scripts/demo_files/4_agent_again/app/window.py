"""Keeps a value inside a window, with soft edges."""

SOFTNESS = 0.1


def clamp(lo, hi, x):
    """`x`, or a little past the bound that it passed, so that a dial gives way at its ends."""
    low, high = min(lo, hi), max(lo, hi)
    if x < low:
        return low - (low - x) * SOFTNESS
    if x > high:
        return high + (x - high) * SOFTNESS
    return x
