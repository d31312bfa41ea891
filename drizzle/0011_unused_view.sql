DROP VIEW expected_term_counts;
