"""What one tab knows: everything that was read, chosen and found, as one value."""

from dataclasses import dataclass, field

from rankwright.studio.tasks.formula import FormulaFound
from rankwright.studio.tasks.improve import ChangeTable, PlansFound
from rankwright.studio.tasks.rank import RankFound
from rankwright.studio.tasks.table import TableRequest, TableView

__all__ = ["State"]


@dataclass(frozen=True)
class State:
    """The state of a tab; pages replace it, and a saved work holds it."""

    table: TableRequest | None = None
    view: TableView | None = None
    formula: FormulaFound | None = None
    formula_model: str = ""  # the path of its model file
    changes: ChangeTable = field(default_factory=lambda: ChangeTable((), ()))
    product: int | None = None
    plans: PlansFound | None = None
    budget: float = 0.0
    fitted: RankFound | None = None
    fitted_model: str = ""
    compared: RankFound | None = None
    consensus: RankFound | None = None
    board: RankFound | None = None
