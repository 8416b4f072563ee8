"""One run from plan to files: device, chunks, the scan, the run directory. Statistics are in g_core.kernels."""
