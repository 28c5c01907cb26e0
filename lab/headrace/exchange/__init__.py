"""A campaign with all that it takes to run it again: packed here, checked and raced elsewhere."""
