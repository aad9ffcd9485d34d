"""Strategies: what runs on which replica, and where variables lie."""
