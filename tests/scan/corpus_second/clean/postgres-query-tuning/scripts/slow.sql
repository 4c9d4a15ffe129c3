-- needs pg_stat_statements
SELECT calls, round(mean_exec_time::numeric, 1) AS ms, round(total_exec_time::numeric / 1000) AS total_s, left(query, 100) AS query
FROM pg_stat_statements ORDER BY total_exec_time DESC LIMIT 20;
