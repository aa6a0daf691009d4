"""Tests of executors: threads, processes and a Dask cluster."""
