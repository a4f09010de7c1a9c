"""From text to nodes: tokens, literals, the parser, and what it says about texts that do not parse."""
