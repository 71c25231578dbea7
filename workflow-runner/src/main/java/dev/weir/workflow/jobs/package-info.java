/**
 * Single jobs for engines that order their tasks themselves: what a job is, the session that runs
 * it, and the client to talk to one.
 */
@NullMarked
package dev.weir.workflow.jobs;

import org.jspecify.annotations.NullMarked;
