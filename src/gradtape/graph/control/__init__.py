"""Control flow and other ops that contain graphs: branches, loops, scans, effects."""
