"""`review`: a human rules on candidates; the only command that writes the oracle."""
