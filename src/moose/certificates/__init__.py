"""Certificates: what a checker that shares no code with the engine needs to see that an answer is right."""
