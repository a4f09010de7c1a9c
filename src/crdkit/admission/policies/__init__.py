"""Policies: what the server itself evaluates about requests, as their objects say (apiserver's plugin/policy)."""
