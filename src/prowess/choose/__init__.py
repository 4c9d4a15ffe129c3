"""What is chosen among what is there. Pure.

    tokens, stop_words, clauses     texts of any script as terms; what a description leaves to others
    documents, offered              what is ranked, made of tools and skills
    ranking, postings, finding      an index, and a ranking with its reasons (`ranked`)
    mixing                          vectors beside the words
    packing, estimate               what fits a budget of tokens
    catalogue                       the text for a system prompt
    versions, bucket                versions by range, callers by share

Importing this package imports nothing else.
"""
