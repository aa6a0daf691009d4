"""The room of pages: the laboratory in a browser, to search, read and judge.

This room alone imports the web framework. `app` puts the pages together, `guard` decides who may see them,
`lab` holds what they show; each other module has the routes of some pages.
"""
