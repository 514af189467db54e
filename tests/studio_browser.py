"""What tests do in a browser, as a person would."""

import numpy as np

PAGES = ("Data", "Formula", "Improve", "Rank", "Votes")
GERMAN = """Modell;Preis;Gewicht;Note;Platz
Adler;1.299,00 €;1,5 kg;4,5;1
Bussard;999,00 €;1,2 kg;4,0;2
Condor;899,50 €;1,9 kg;3,5;3
Dohle;1.050,00 €;2,1 kg;3,0;4
Elster;700,00 €;2,0 kg;2,5;5
"""
EVIL = "<img src=x onerror=alert(1)>"
HOSTILE = f"""name,":label","<script>alert(2)</script>",stars,rank
{EVIL},9,1,5,1
=cmd(),7,3,4,2
{{{{7*7}}}},5,2,3,3
"</td><script>alert(3)</script>",3,1,2,4
@SUM(A1),1,0,1,5
"""

# Let every chart show the tooltip of its first point, and return their texts.
SHOW_TIPS = """() => [...document.querySelectorAll('.chart')].map(element => {
  const chart = getElement(Number(element.id.slice(1)))?.chart;
  chart?.dispatchAction({type: 'showTip', seriesIndex: 0, dataIndex: 0});
  return [...element.querySelectorAll('div')].map(part => part.innerText).join(' ');
}).join(' ')"""


def panel(page):
    return page.locator(".q-tab-panel:visible")


def go(page, name):
    page.get_by_role("tab", name=name).click()
    panel(page).get_by_role("heading", level=1, name=name).wait_for()


def drop(page, content, name="table.csv", place=0):
    content = content.encode() if isinstance(content, str) else content
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    panel(page).locator("input[type=file]").nth(place).set_input_files(file)


def grip(page, name):
    """Return the part of a slider that keys move."""
    return page.get_by_role("slider", name=name).locator("[tabindex='0']")


def find_formula(page, seconds=3):
    go(page, "Formula")
    page.get_by_label("Seconds for everything").fill(str(seconds))
    page.get_by_role("switch", name="Held-out products and chance").click()
    page.get_by_role("button", name="Find the formula").click()


def downloaded(page, name):
    with page.expect_download() as event:
        page.get_by_role("button", name=name).click()
    return event.value


def noise(n_products=60, n_factors=9):
    """Return a table whose ranks follow from nothing: no proof ends soon."""
    rng = np.random.default_rng(0)
    columns = ",".join(f"f{factor}" for factor in range(n_factors))
    rows = "".join(
        f"P{place},{place},{','.join(f'{value:.3f}' for value in rng.random(n_factors))}\n"
        for place in range(1, n_products + 1)
    )
    return f"name,rank,{columns}\n{rows}"


# The names of all controls of the page that is shown, folded ones included.
CONTROLS = """() => {
  const page = [...document.querySelectorAll('.q-tab-panel')].find(one => one.offsetParent);
  const named = [...page.querySelectorAll('[aria-label]')].map(one => one.ariaLabel);
  const labels = '.q-field__label, .q-toggle__label, .q-uploader__title, button';
  const texts = [...page.querySelectorAll(labels)].map(one => one.textContent);
  return [...named, ...texts.map(text => text.replace(/^[a-z_]+(?=[A-Z])/, '').trim())];
}"""


def controls(page):
    """Return the names of the controls of the page that is shown."""
    return set(page.evaluate(CONTROLS))


def settle(page):
    """Wait until colours no longer fade into others."""
    page.wait_for_function("!document.getAnimations().some(one => one instanceof CSSTransition)")


def set_theme(page, theme):
    """Make a page light or dark."""
    is_dark = page.evaluate("document.body.classList.contains('body--dark')")
    if is_dark != (theme == "dark"):
        page.get_by_role("button", name="Light or dark").click()
        page.wait_for_function(
            "dark => document.body.classList.contains('body--dark') === dark", arg=not is_dark
        )
