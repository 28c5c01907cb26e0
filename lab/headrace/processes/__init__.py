"""The only room that starts processes: commands, the measuring launcher, wine."""
