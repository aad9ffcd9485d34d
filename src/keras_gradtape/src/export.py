"""Exporting to other runtimes, which this backend does not do."""

from keras.src.export.saved_model_export_archive import SavedModelExportArchive

_REASON = (
    "`model.export` writes programs for other runtimes, which the gradtape backend cannot. Save the "
    "model with `model.save('model.keras')`, load it in Keras on TensorFlow or JAX, and export it "
    "from there."
)


class GradtapeExportArchive(SavedModelExportArchive):
    """Refuses, with the reason and a way out."""

    def __init__(self) -> None:
        raise NotImplementedError(_REASON)

    def track(self, resource):
        raise NotImplementedError(_REASON)

    def add_endpoint(self, name, fn, input_signature=None, **kwargs):
        raise NotImplementedError(_REASON)
