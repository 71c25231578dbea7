/** What the commands share in talking to people and to scripts. */
@NullMarked
package dev.weir.cli.common;

import org.jspecify.annotations.NullMarked;
