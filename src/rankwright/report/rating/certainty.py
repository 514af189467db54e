"""How sure the formula is: what is proved, in plain and in technical words."""

from collections.abc import Iterator

from rankwright.plots import plot_convergence
from rankwright.report.figures import inline_svg
from rankwright.report.page import drawing, html_table, paragraph
from rankwright.report.proof_words import certificate_words, limit_text, proof_words
from rankwright.report.words import trust_words
from rankwright.reverse import Investigation
from rankwright.reverse.questions.summary import measured

__all__ = ["certificate_parts", "how_sure_parts"]


def how_sure_parts(found: Investigation) -> Iterator[str]:
    """Yield what is proved, and whether it would hold for new products."""
    yield from map(paragraph, proof_words(found))
    yield from map(paragraph, trust_words(found))


def certificate_parts(found: Investigation) -> Iterator[str]:
    """Yield the certificate: objective, bound and gap, and how the fit came there."""
    yield from map(paragraph, certificate_words(found))
    chance = found.chance
    shuffled = None if chance is None or chance.is_counted else float(chance.shuffled.mean())
    passes = "falls below" if found.formula.rating_.objective == "positions" else "exceeds"
    certificate = found.certificate
    rows: list[tuple[str, float | str, float | None]] = [
        ("objective", float(certificate.objective), shuffled),
        (f"bound: no formula {passes} it", limit_text(certificate, certificate.bound), None),
        ("gap", limit_text(certificate, certificate.gap), None),
        ("best that single pairs allow", found.formula.achievable_, None),
    ]
    if found.held_out is not None:
        rows += [
            (f"{what}, products left out", value, guessed)
            for what, value, guessed in measured(found.held_out)
        ]
    yield html_table(["", "value", "by chance"], rows)
    if len(found.formula.history_) > 1:
        history = [
            (state.seconds, state.objective, state.bound) for state in found.formula.history_
        ]
        svg = inline_svg(plot_convergence(history), "history", "Objective and bound over time")
        yield drawing(
            svg, "The best formula and the bound over time; what lies between them is undecided."
        )
