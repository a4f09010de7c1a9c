"""Garbage collection: objects go when their owners have gone (kube-controller-manager's garbage-collector-controller)."""
