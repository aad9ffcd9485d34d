"""Sphinx's configuration of the site."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import gradtape
from tools.site import OUTPUT, PICTURES
from tools.site.source_pages import read_names

project = "gradtape"
author = "The authors of gradtape"
project_copyright = "the authors of gradtape, Apache License 2.0"
version = release = gradtape.__version__
extensions = ["myst_parser", "sphinx_copybutton", "tools.site.source_pages"]
root_doc = "index"
exclude_patterns = []
source_suffix = {".md": "markdown"}
nitpicky = True
highlight_language = "text"
pygments_style = "friendly"
pygments_dark_style = "native"

api_names = read_names(OUTPUT / "source")

myst_heading_anchors = 4  # page.md#heading, as code hosts have it
myst_url_schemes = ["http", "https", "mailto", "source"]
myst_enable_extensions = ["attrs_block", "colon_fence"]

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = f"gradtape {version}"
html_static_path = ["static", str(PICTURES)]
html_css_files = ["site.css"]
html_copy_source = False
html_show_search_summary = False  # needs a server: pages are to be read from a disk, too
html_show_sphinx = False
html_domain_indices = False
html_theme_options = {"navigation_with_keys": True, "top_of_page_buttons": []}
python_use_unqualified_type_names = True
toc_object_entries = False
