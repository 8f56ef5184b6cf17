"""Whether a text that was printed here is the one that is shown, but for last digits."""
import math
import re

_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")


def alike(shown, printed, relative=0.05):
    """Words are the same, and so are whole numbers; others may be off by a twentieth, or by 0.02 where they are small."""
    if _NUMBER.sub("#", shown).split() != _NUMBER.sub("#", printed).split():
        return False
    return all(_close(one, other, relative) for one, other in zip(_NUMBER.findall(shown), _NUMBER.findall(printed)))


def _close(one, other, relative):
    if one == other:
        return True
    if one.isdigit() and other.isdigit():
        return False
    return math.isclose(float(one), float(other), rel_tol=relative, abs_tol=0.02)
