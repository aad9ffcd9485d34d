"""Datasets of files: lines of text, CSV, records."""
