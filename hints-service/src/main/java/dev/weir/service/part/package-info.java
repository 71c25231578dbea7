/**
 * What every part of the hints service builds on: parts, settings, tasks of the leader, problems.
 */
@NullMarked
package dev.weir.service.part;

import org.jspecify.annotations.NullMarked;
