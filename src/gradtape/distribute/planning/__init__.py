"""`gradtape plan`: predicted time and memory of a step."""
