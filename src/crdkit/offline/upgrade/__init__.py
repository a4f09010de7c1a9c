"""Manifests of definitions in apiextensions.k8s.io/v1beta1, which no server of today knows, rewritten to v1."""
