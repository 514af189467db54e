"""Compiled loops: arrays and scalars in, arrays and scalars out, no objects.

The only package that imports numba. Callers convert to the stated dtypes first, so that each
kernel is compiled once; the compiled code is cached beside the source.
"""
