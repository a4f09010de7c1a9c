"""Objects of one version of a definition as those of another: by their apiVersion alone, by a webhook, or by a function."""
