"""Pages over an open Host, for one person on this machine.

    door      who may come in: a one-time link, then a cookie; a signed token on every write
    guard     what a request has to be like before a page sees it, and what every answer forbids
    pages     how a page is drawn: templates, languages, untrusted text made visible
    forms     a write: its fields, and the confirmation that comes before it
    rows      a long list, a page of it at a time
    app       all of it as one application; `opening` brings it up

Every other file is one area of pages and has its `ROUTES`. A page is always whole and works without
JavaScript; htmx swaps the part of it that changed.
"""
