"""The colours of every picture: Okabe and Ito's, which stay apart for colour-blind eyes."""

__all__ = ["DARK", "LIGHT"]

LIGHT = {
    "accent": "#0072b2",
    "contrast": "#d55e00",
    "green": "#009e73",
    "amber": "#e69f00",
    "sky": "#56b4e9",
    "pink": "#cc79a7",
    "ink": "#222831",
    "muted": "#6b7280",
    "grid": "#d9dde3",
}
# By the same names, for a dark background.
DARK = {
    "accent": "#4fb0ea",
    "contrast": "#ff8a3d",
    "green": "#2fd0a0",
    "amber": "#ffc04d",
    "sky": "#8fd0f7",
    "pink": "#e6a3c9",
    "ink": "#e6e9ee",
    "muted": "#9aa4b2",
    "grid": "#343b47",
}
