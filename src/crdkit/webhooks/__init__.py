"""Calling webhooks: what conversion and admission share. Knows no definition and no review of theirs."""
