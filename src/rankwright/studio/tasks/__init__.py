"""What jobs do: each task reads a request, calls what the command line calls, and says it.

Tasks run in processes of their own. The page's process only names them, so nothing heavy is
imported before a task runs.
"""
