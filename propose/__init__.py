"""`propose`: feeds the production part of a diff to a proposer and writes candidates; it has no vote."""
