-- Two users may have runs of one id: nobody takes the ids of others. Dropping the column takes its
-- unique constraint along, which the two databases name differently.

ALTER TABLE runs ADD COLUMN known_id VARCHAR(200);
UPDATE runs SET known_id = run_id;
ALTER TABLE runs DROP COLUMN run_id;
ALTER TABLE runs RENAME COLUMN known_id TO run_id;
ALTER TABLE runs ALTER COLUMN run_id SET NOT NULL;
ALTER TABLE runs ADD CONSTRAINT runs_by_name UNIQUE (owner, run_id);
CREATE INDEX runs_by_id ON runs (run_id);

-- How many rows a run has in the other tables, so that what a user has is known without counting.
ALTER TABLE runs ADD COLUMN row_count BIGINT DEFAULT 0 NOT NULL;
UPDATE runs SET row_count =
  (SELECT COUNT(*) FROM run_files x WHERE x.run_no = runs.run_no)
  + (SELECT COUNT(*) FROM tasks x WHERE x.run_no = runs.run_no)
  + (SELECT COUNT(*) FROM task_files x WHERE x.run_no = runs.run_no)
  + (SELECT COUNT(*) FROM attempts x WHERE x.run_no = runs.run_no)
  + (SELECT COUNT(*) FROM attempt_files x WHERE x.run_no = runs.run_no)
  + (SELECT COUNT(*) FROM workers x WHERE x.run_no = runs.run_no);
