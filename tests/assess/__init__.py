"""Tests of the record of assessments."""
