"""Why a gradient is None, where a nan comes from, what a tape holds: questions put to a tape."""
