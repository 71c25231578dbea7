/** The HTTP service of a session, which accepts single jobs and runs. */
@NullMarked
package dev.weir.workflow.jobserver;

import org.jspecify.annotations.NullMarked;
