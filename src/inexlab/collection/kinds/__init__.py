"""Other kinds of collections than folders and archives of XML; each module registers an opener."""
