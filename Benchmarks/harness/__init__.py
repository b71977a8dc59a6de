"""The common parts of the scenarios: processes on their cores, servers under test, clients, and the table of figures.
"""
