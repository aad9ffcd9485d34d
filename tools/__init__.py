"""Programs about gradtape itself; nothing that programs use imports them."""
