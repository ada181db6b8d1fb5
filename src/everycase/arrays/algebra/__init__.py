"""Covering arrays by algebra: finite fields, the constructions over them, and which of them to use."""
