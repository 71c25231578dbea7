-- What the command of an attempt took of its node. Not known of runs before this version, nor where
-- a run does not say; memory not of commands that were over before anybody looked.

ALTER TABLE attempts ADD COLUMN cpu_ms BIGINT;
ALTER TABLE attempts ADD COLUMN peak_memory_bytes BIGINT;
