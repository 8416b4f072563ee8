"""Pictures of a trait's results: numbers first, then points on a pixel grid, then axes around them."""
