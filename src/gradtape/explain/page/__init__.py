"""`tape.to_html()`: one self-contained page that shows a recording."""
