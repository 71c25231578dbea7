/** The workflow model: tasks, files and their graph. */
@NullMarked
package dev.weir.workflow.model;

import org.jspecify.annotations.NullMarked;
