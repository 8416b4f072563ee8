"""The result columns, written down once, and rows as record batches. Files are written natively."""
