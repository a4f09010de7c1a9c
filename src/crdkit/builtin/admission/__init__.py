"""Webhooks and policies that look at requests (admissionregistration.k8s.io/v1), as objects: fields, defaults, and what they may say."""
