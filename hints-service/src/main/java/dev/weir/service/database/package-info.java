/** The SQL database of runs: its settings, its connections and the limits on their use. */
@NullMarked
package dev.weir.service.database;

import org.jspecify.annotations.NullMarked;
