"""Bridges to other programs: pytest and its plugins, event loops, other testing libraries.

Each bridge is one module that imports the other program only when it is used. Nothing else in everycase knows of them.
"""
