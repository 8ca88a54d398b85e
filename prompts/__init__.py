"""The Jinja2 templates of the prompts, as package data."""
