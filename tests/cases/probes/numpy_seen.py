"""Functions that draw entropy through numpy."""

import numpy


def draws_numpy_default_rng(x):
    """entropy: os.urandom"""
    return numpy.random.default_rng().random() >= 0  # here


def draws_numpy_global(x):
    """entropy: a global generator"""
    return numpy.random.rand() >= 0


def draws_numpy_seed(x):
    """entropy: os.urandom"""
    numpy.random.seed()  # here
    return 1
