"""Neighbours of a trace: which place is edited (``edits``), what an edit does to each kind of node
(``rules``), edits of whole turns of a loop (``loops``), and descriptions of the neighbourhood
(``explain``)."""
