"""Generators of random numbers from states that anyone may have written."""

import numpy as np
import pytest

from rankwright.persistence.errors import ModelFileError
from rankwright.persistence.random_numbers import restore_generator, restore_random_state

SEEDS = {"entropy": 1, "spawn_key": (), "pool_size": 4}


def mersenne(position):
    state = np.random.RandomState(0).get_state(legacy=False)
    return {**state, "state": {**state["state"], "pos": position}}


def philox(**changes):
    return {**np.random.Philox(0).state, **changes}


@pytest.mark.parametrize("position", [0, 624])
def test_the_ends_of_the_buffer_are_positions(position):
    restored = restore_random_state(mersenne(position))
    assert restored.get_state(legacy=False)["state"]["pos"] == position


@pytest.mark.parametrize("position", [-1, 625, 3.0, "3", None])
def test_a_position_outside_of_the_buffer_is_refused(position):
    with pytest.raises(ModelFileError, match="has the position"):
        restore_random_state(mersenne(position))


@pytest.mark.parametrize("position", [-1, 5, 2.0])
def test_philox_has_a_short_buffer(position):
    assert restore_generator(philox(buffer_pos=4), SEEDS).bit_generator.state["buffer_pos"] == 4
    with pytest.raises(ModelFileError, match="has the position"):
        restore_generator(philox(buffer_pos=position), SEEDS)


@pytest.mark.parametrize("state", [None, 3, {}, {"bit_generator": "Other"}])
def test_an_unknown_generator_is_refused(state):
    for restore in (restore_random_state, lambda state: restore_generator(state, SEEDS)):
        with pytest.raises(ModelFileError, match="random number generator is unknown"):
            restore(state)


def test_a_random_state_is_a_mersenne_twister():
    with pytest.raises(ModelFileError, match="its RandomState is a Philox"):
        restore_random_state(philox())


@pytest.mark.parametrize("size", [-1, 0, 3, 1025, 10**9])
def test_a_pool_of_odd_size_is_refused(size):
    with pytest.raises(ModelFileError, match=f"a pool of {size}"):
        restore_generator(philox(), {**SEEDS, "pool_size": size})


@pytest.mark.parametrize("size", [4, 1024])
def test_the_smallest_and_the_largest_pool_are_taken(size):
    restored = restore_generator(philox(), {**SEEDS, "pool_size": size})
    assert restored.bit_generator.seed_seq.pool_size == size


@pytest.mark.parametrize("seed", [5, [5, 6], (5, 6), np.int64(5), np.array([5, 6])])
def test_flat_seeds_are_taken(seed):
    restored = restore_generator(philox(), {**SEEDS, "entropy": seed})
    assert restored.bit_generator.seed_seq.entropy is seed


@pytest.mark.parametrize("name", ["entropy", "spawn_key"])
@pytest.mark.parametrize("wrong", [[[1], [2]], ("1",), [1.5], np.ones(2), np.ones((1, 1), int)])
def test_nested_seeds_and_those_of_other_things_are_refused(name, wrong):
    with pytest.raises(ModelFileError, match="the seed of its generator is no whole number"):
        restore_generator(philox(), {**SEEDS, name: wrong})
