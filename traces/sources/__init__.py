"""The sources of the traces that scripts/make_traces.py writes."""
