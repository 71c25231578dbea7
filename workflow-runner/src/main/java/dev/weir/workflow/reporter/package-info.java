/** Reports runs to the hints service during the runs. */
@NullMarked
package dev.weir.workflow.reporter;

import org.jspecify.annotations.NullMarked;
