"""What the scenarios share: processes on their cores, servers under test, clients, and the figures' table."""
