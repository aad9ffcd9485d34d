"""Processes of a job: how they find each other, and what happens when one fails."""
