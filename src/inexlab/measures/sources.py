"""The papers that measures cite in short, in full."""

REFERENCES = {
    "Cherukuri (2010)": "R. Cherukuri. Significance Testing for INEX 2008-09 Ad Hoc Track. "
    "Master's thesis, University of Minnesota Duluth, 2010.",
    "Pehcevski and Thom": "J. Pehcevski and J. A. Thom. HiXEval: Highlighting XML Retrieval "
    "Evaluation. INEX 2005.",
}
