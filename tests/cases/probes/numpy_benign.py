"""Functions that use numpy and draw nothing that is not seeded."""

import numpy


def keeps_numpy_seeded(x):
    return int(numpy.random.default_rng(x).integers(9))


def keeps_numpy_global_seeded(x):
    numpy.random.seed(x)
    return float(numpy.random.rand())


def keeps_numpy_sum(x):
    return numpy.arange(x).sum()
