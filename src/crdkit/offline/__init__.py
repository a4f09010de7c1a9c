"""What the server would say, without a server: definitions and objects from files or dictionaries are judged by the code that serves them."""
