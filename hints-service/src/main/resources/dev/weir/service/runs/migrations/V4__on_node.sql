-- Whether an output was committed to its node, not to HDFS.

ALTER TABLE attempt_files ADD COLUMN on_node BOOLEAN DEFAULT FALSE NOT NULL;
