"""A gradient log, drawn: as a page with inline SVG, or by matplotlib where that is installed."""

from __future__ import annotations

import math
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradtape.explain.health import GradientLog

_QUANTITIES = {
    "gradient_norm": "size of the gradient",
    "update_ratio": "update ÷ weights",
    "dead_units": "share of dead units",
}
_COLORS = ("#2459a6", "#c8553d", "#3d8b5f", "#8a5fb5", "#b58a2a", "#3a98a8", "#a8476e", "#6b7280")
_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 760, 220, 64, 26
_DASHES = ("", "6 3", "2 3")


def _series(log: GradientLog, quantity: str) -> dict[str, list[tuple[int, float]]]:
    series: dict[str, list[tuple[int, float]]] = {}
    for reading in log.readings:
        value = getattr(reading, quantity)
        if value is not None and math.isfinite(value):
            series.setdefault(reading.name, []).append((reading.step, value))
    return series


def to_page(log: GradientLog) -> str:
    """Return one self-contained page."""
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Gradient health</title>",
        "<style>:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;"
        "max-width:860px;margin:24px auto;padding:0 16px}svg{width:100%;height:auto}"
        "text{fill:currentColor;font-size:11px}.axis{stroke:currentColor;opacity:.25}"
        "h2{font-size:15px;margin:20px 0 4px}.key{display:flex;flex-wrap:wrap;gap:4px 14px}"
        ".key svg{width:26px;height:10px;margin-right:4px}"
        "pre{overflow:auto;padding:8px;border:1px solid #8885}</style>",
        "<h1 style='font-size:18px'>Gradient health</h1>",
        f"<pre>{escape(_plain(log))}</pre>",
        "<p class='key'>",
        *[f"<span>{_sample(i)}{escape(name)}</span>" for i, name in enumerate(log.names)],
        "</p>",
    ]
    for quantity, title in _QUANTITIES.items():
        parts.append(f"<h2>{title}</h2>{_chart(log, quantity)}")
    return "\n".join([*parts, "</html>"])


def _plain(log: GradientLog) -> str:
    warnings = log.warnings()
    return "\n".join(warnings) if warnings else "Nothing looks unhealthy."


def _style(i: int) -> str:
    dash = _DASHES[i // len(_COLORS) % len(_DASHES)]
    return f'stroke="{_COLORS[i % len(_COLORS)]}" stroke-dasharray="{dash}"'


def _sample(i: int) -> str:
    return f'<svg viewBox="0 0 26 10"><path d="M0 5H26" stroke-width="2" {_style(i)}/></svg>'


def _chart(log: GradientLog, quantity: str) -> str:
    series = _series(log, quantity)
    logarithmic = quantity != "dead_units"
    values = [v for s in series.values() for _, v in s if v > 0 or not logarithmic]
    if not values:
        return "<p>No readings.</p>"
    scale = math.log10 if logarithmic else float
    low, high = (scale(min(values)), scale(max(values))) if logarithmic else (0.0, 1.0)
    if logarithmic:
        low, high = math.floor(low), max(math.ceil(high), math.floor(low) + 1)
    last = max(max(step for step, _ in s) for s in series.values()) or 1

    def at(step: float, value: float) -> str:
        x = _LEFT + (_WIDTH - _LEFT - 8) * step / last
        y = 8 + (_HEIGHT - _BOTTOM - 8) * (1 - (value - low) / (high - low))
        return f"{x:.1f} {y:.1f}"

    parts = [f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{quantity}">']
    count = min(int(high - low), 6) if logarithmic else 4
    for k in range(count + 1):
        value = low + (high - low) * k / count
        label = f"1e{value:.3g}" if logarithmic else f"{value:.0%}"
        _, y = at(0, value).split()
        parts.append(f'<path class="axis" d="M{_LEFT} {y}H{_WIDTH - 8}"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y}" text-anchor="end" dy="4">{label}</text>')
    for step in sorted({0, last // 2, last}):
        x = at(step, low).split()[0]
        anchor = "end" if step == last else "middle"
        parts.append(f'<text x="{x}" y="{_HEIGHT - 8}" text-anchor="{anchor}">step {step}</text>')
    for i, name in enumerate(log.names):
        points = [at(s, scale(v)) for s, v in series.get(name, []) if v > 0 or not logarithmic]
        if points:
            tail = "" if len(points) > 1 else "h2"
            parts.append(
                f'<path d="M{"L".join(points)}{tail}" fill="none" stroke-width="1.6" {_style(i)}>'
                f"<title>{escape(name)}</title></path>"
            )
    return "".join([*parts, "</svg>"])


def to_figure(log: GradientLog, path: Path) -> None:
    """Draw the log as an image, by matplotlib."""
    from matplotlib.figure import Figure  # pyright: ignore[reportMissingImports] (an optional package)

    rows = -(-len(log.names) // 4)
    figure = Figure(figsize=(9, 8 + 0.2 * rows), layout="constrained")
    axes = figure.subplots(len(_QUANTITIES), 1, sharex=True)
    for axis, (quantity, title) in zip(axes, _QUANTITIES.items(), strict=True):
        series = _series(log, quantity)
        logarithmic = quantity != "dead_units"
        for i, name in enumerate(log.names):  # every name, so that colors agree in all charts
            points = [(s, v) for s, v in series.get(name, []) if v > 0 or not logarithmic]
            axis.plot(
                [s for s, _ in points],
                [v for _, v in points],
                label=name,
                linewidth=1.2,
                color=_COLORS[i % len(_COLORS)],
                linestyle=("-", "--", ":")[i // len(_COLORS) % len(_DASHES)],
                marker="." if len(points) == 1 else None,
            )
        axis.set_title(title, fontsize=10, loc="left")
        axis.grid(alpha=0.3)
        if logarithmic:
            axis.set_yscale("log")
        else:
            axis.set_ylim(-0.02, 1.02)
            axis.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    axes[-1].set_xlabel("step")
    figure.suptitle(_headline(log), fontsize=9)
    lines, names = axes[0].get_legend_handles_labels()
    figure.legend(lines, names, fontsize=7, ncols=4, loc="outside lower center", frameon=False)
    figure.savefig(path, dpi=120)


def _headline(log: GradientLog) -> str:
    """Return the warnings that fit above a drawing."""
    warnings = log.warnings()
    more = [f"and {len(warnings) - 3} more warnings"] if len(warnings) > 3 else []
    return "\n".join([*warnings[:3], *more]) or "Nothing looks unhealthy."
