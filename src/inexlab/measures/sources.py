"""The papers that measures cite in short, in full."""

REFERENCES = {
    "Ogilvie and Lalmas (2006)": "P. Ogilvie and M. Lalmas. Investigating the Exhaustivity Dimension in "
    "Content-Oriented XML Element Retrieval Evaluation. CIKM 2006.",
    "Lalmas and Tombros (2007)": "M. Lalmas and A. Tombros. Evaluating XML Retrieval Effectiveness "
    "at INEX. 2007.",
    "Kazai and Lalmas (2005)": "G. Kazai and M. Lalmas. INEX 2005 Evaluation Measures. INEX 2005.",
    "Trotman and Lalmas (2005)": "A. Trotman and M. Lalmas. The Interpretation of CAS. INEX 2005.",
    "Cherukuri (2010)": "R. Cherukuri. Significance Testing for INEX 2008-09 Ad Hoc Track. "
    "Master's thesis, University of Minnesota Duluth, 2010.",
    "Pehcevski and Thom": "J. Pehcevski and J. A. Thom. HiXEval: Highlighting XML Retrieval "
    "Evaluation. INEX 2005.",
}
