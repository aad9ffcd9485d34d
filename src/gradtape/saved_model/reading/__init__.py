"""SavedModels read: the functions of a graph run through gradtape's ops."""
