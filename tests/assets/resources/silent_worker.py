"""A payload that ends well and reports nothing."""
