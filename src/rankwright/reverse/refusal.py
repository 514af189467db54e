"""A question that can't be asked of a rating."""

__all__ = ["QuestionRefusedError"]


class QuestionRefusedError(ValueError):
    """The rating, or the formula, does not allow this question: the message says why.

    An investigation leaves such a question out, with its reason. Any other error is a defect, and
    ends it.
    """
