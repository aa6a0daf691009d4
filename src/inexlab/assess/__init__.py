"""The room of assessing: who judges what, and the record of every judgement, in one database file.

There is no page in this room: whatever shows it to people stands on `store`. Times are seconds since 1970.
"""
