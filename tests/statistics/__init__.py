"""Tests of what scores allow one to conclude."""
