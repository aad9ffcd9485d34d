"""Polynomials of open sizes: how a `Size` is written down, so that equal ones are found equal."""

from __future__ import annotations

# A polynomial: the sorted factors of a product (as source text), and how often to add it.
Terms = tuple[tuple[tuple[str, ...], int], ...]


def polynomial(sums: dict[tuple[str, ...], int]) -> Terms:
    """Return the sum of products, each of which is to be added so often."""
    return tuple(sorted([(factors, n) for factors, n in sums.items() if n]))


def constant(terms: Terms) -> int | None:
    """Return the number that a polynomial is, if it is one."""
    if not terms:
        return 0
    return terms[0][1] if len(terms) == 1 and not terms[0][0] else None


def source_of(terms: Terms) -> str:
    """Return a polynomial as a Python expression in parentheses, or as a name or number."""
    if not terms:
        return "0"
    parts = ["*".join([*([str(n)] if n != 1 or not f else []), *f]) for f, n in terms]
    return parts[0] if len(parts) == 1 and "*" not in parts[0] else f"({' + '.join(parts)})"


def times(x: Terms, y: Terms) -> Terms:
    """Return the product of two polynomials."""
    sums: dict[tuple[str, ...], int] = {}
    for a, m in x:
        for b, n in y:
            key = tuple(sorted((*a, *b)))
            sums[key] = sums.get(key, 0) + m * n
    return polynomial(sums)


def plus(x: Terms, y: Terms, sign: int = 1) -> Terms:
    """Return the sum of two polynomials; for a sign of -1, their difference."""
    sums = dict(x)
    for key, n in y:
        sums[key] = sums.get(key, 0) + sign * n
    return polynomial(sums)


def divided(x: Terms, y: Terms) -> Terms | None:
    """Return the polynomial x / y, if y is one product that divides each of x."""
    if len(y) != 1:
        return None
    (factors, n) = y[0]
    sums: dict[tuple[str, ...], int] = {}
    for key, m in x:
        rest = list(key)
        for factor in factors:
            if factor not in rest:
                return None
            rest.remove(factor)
        if m % n:
            return None
        sums[tuple(rest)] = m // n
    return polynomial(sums)


def least_of(terms: Terms) -> int | None:
    """Return what a polynomial of sizes is at least, if that is known: sizes are not negative."""
    if any(n < 0 or any(f.startswith("+") for f in key) for key, n in terms if key):
        return None
    return sum(n for key, n in terms if not key)
