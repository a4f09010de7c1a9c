"""Built-in kinds as protocol buffers: the numbers of their fields, by the ``generated.proto`` of each API, and what they are sent in."""
