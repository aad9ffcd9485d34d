"""How many hostile files there are, of each format."""

from tests.checkpoints import hostile as checkpoints
from tests.hostile import archives, keras_files, media, safetensors
from tests.records import hostile as records
from tests.saved_model import hostile as saved_models


def test_every_format_has_its_hostile_files():
    counts = {
        "images": len(list(media.images())),
        "sounds": len(list(media.sounds())),
        "safetensors": len(list(safetensors.files())),
        "Keras models": len(keras_files.ATTACKS) + len(archives.ATTACKS),
        "Keras weights": 2 * len(keras_files.WEIGHTS),
        "records": len(list(records.files())),
        "Examples": len(records.EXAMPLES) + len(records.SHAPES),
        "checkpoints": len(list(checkpoints.files())) + len(checkpoints.LISTS),
        "SavedModels": len(saved_models.CHANGES),
    }
    assert min(counts.values()) >= 18, counts
    assert sum(counts.values()) >= 600, counts
