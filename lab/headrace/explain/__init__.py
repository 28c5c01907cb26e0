"""Why a row takes as long as it does: traces, counts, rules."""
