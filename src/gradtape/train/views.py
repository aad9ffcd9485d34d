"""Looking at graphs of objects: those that a checkpoint would follow, and those that it holds."""

from __future__ import annotations

import logging
import weakref
from typing import Any

from gradtape.core.brief import brief
from gradtape.train.files import open_checkpoint, path_text
from gradtape.train.graph import OwnNames, walk
from gradtape.train.tensorflow_names import TensorFlowNames
from gradtape.train.trackables import is_trackable


class TrackableView:
    """The objects that a checkpoint of TensorFlow finds below one; it does not keep them alive."""

    def __init__(self, root) -> None:
        self._root = root if isinstance(root, weakref.ref) else weakref.ref(root)

    @property
    def root(self) -> Any:
        root = self._root()
        assert root is not None, "The root of this tf.train.TrackableView exists no longer."
        return root

    @classmethod
    def children(cls, obj, save_type="checkpoint", **kwargs) -> dict[str, Any]:
        """Return the objects in one, by name."""
        return dict(TensorFlowNames.children(obj))

    def descendants(self) -> list:
        """Return all objects, the root first, nearest first."""
        return [thing for _, thing, _ in walk(self.root, TensorFlowNames())]


class CheckpointView:
    """The objects in a checkpoint, by number; 0 is the root."""

    def __init__(self, save_path) -> None:
        prefix = path_text(save_path)
        opened = open_checkpoint(prefix)
        if opened.graph is None:
            raise ValueError(
                f'The specified checkpoint "{prefix}" does not appear to be object-based: it has '
                "variables by name, as TensorFlow 1 saved them. Use tf.train.load_checkpoint."
            )
        self._graph = opened.graph
        self._naming = TensorFlowNames() if opened.is_of_tensorflow else OwnNames()

    def children(self, node_id: int) -> dict[str, int]:
        """Return the numbers of an object's children, by name."""
        return dict(self._graph.children(node_id))

    def descendants(self) -> list[int]:
        """Return the numbers of all objects that the root leads to, nearest first."""
        known = {0: None}
        queue = [0]
        for number in queue:
            new = [child for child in self.children(number).values() if child not in known]
            queue += dict.fromkeys(new)
            known.update(dict.fromkeys(new))
        return queue

    def match(self, obj) -> dict[int, Any]:
        """Return the objects below one that have the name and place of a saved one, by number."""
        if not is_trackable(obj):
            raise ValueError(f"Expected a Trackable, got {brief(obj)} of type {type(obj)}.")
        matched = {0: obj}
        queue = [0]
        for number in queue:
            for child, other in self._naming.matches(matched[number], number, self._graph):
                if other not in matched:
                    matched[other] = child
                    queue.append(other)
                elif other and matched[other] is not child:
                    logging.getLogger("gradtape").warning(
                        "Inconsistent references: the saved object %d is matched by two objects, "
                        "%s and %s.",
                        other,
                        brief(matched[other]),
                        brief(child),
                    )
        return matched

    def diff(self, obj) -> tuple[dict[int, Any], list[int], list]:
        """Return what `match` does, numbers of other saved objects, and other objects below one."""
        matched = self.match(obj)
        known = {id(thing) for thing in matched.values()}
        return (
            matched,
            [number for number in self.descendants() if number not in matched],
            [thing for _, thing, _ in walk(obj, self._naming) if id(thing) not in known],
        )
