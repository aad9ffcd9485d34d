"""The protocol buffers of a SavedModel: graphs, functions, objects."""
