"""Exporting to other runtimes, which this backend does not do."""

from keras.src.export.saved_model_export_archive import SavedModelExportArchive

_REASON = (
    "`export_saved_model` only currently supports the tensorflow, jax and torch backends. Save the "
    "model with `model.save('model.keras')`, load it in Keras on one of these, and export it there."
)


class GradtapeExportArchive(SavedModelExportArchive):
    """Raises: gradtape cannot export; the error says what to do instead."""

    def __init__(self) -> None:
        raise NotImplementedError(_REASON)

    def track(self, resource):
        raise NotImplementedError(_REASON)

    def add_endpoint(self, name, fn, input_signature=None, **kwargs):
        raise NotImplementedError(_REASON)
