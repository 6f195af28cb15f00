"""The differential test of the readers: an independent reader, a generator of files, and their comparison."""
