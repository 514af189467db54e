"""Kernels of rating formulas: improve the weights, and bound what any weights can reach.

A formula is a vector of weights; a product scores the weighted sum of its factors. All modules
speak of the same things:

cell
    A cone of weights, given by its extreme *rays*: every formula in it is a sum of rays with
    non-negative multipliers. (Trees have cells of rows; here a cell never means anything else.)
    Its *facets* are the planes that bound it.
plane
    The weights for which two products score the same. It has a positive and a negative *side*, and
    the *pairs* of products that tie on it. A plane that crosses a cell leaves a *half* of the cell
    on either side.
decided, undecided
    A pair is decided in a cell if one product scores above the other for every formula of the
    cell. ``below``, ``above`` and ``wins`` count decided pairs: the products below and above each
    product, and those it is rightly above.
unit, bonus, threshold, slots
    What a won pair earns, what it earns more if the winner is at the top of its group, how many
    products a product at the top must be above, and how many places the top has.
reach, extra
    The most that undecided pairs allow: products that a product can score above, and what it can
    earn at the top beyond its units.
rivals
    Two halves of a cell that share no formula, so that the pairs of one of them at most are won.
open, closed
    The statistic is largest inside some open cell: leaving a plane breaks a tie and loses nothing.
    Position errors may be least on a plane, so their cells are closed, and cut three ways.
stop
    One flag in an array, which another thread may set: every kernel that can take long looks at it
    at least every few milliseconds of work, and returns what it has.
"""
