/** One run in its session: what was done before, orders, record, status and end. */
@NullMarked
package dev.weir.workflow.run;

import org.jspecify.annotations.NullMarked;
