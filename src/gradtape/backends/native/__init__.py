"""The native extension (`gradtape._native`) and its kernels, if it was built."""
