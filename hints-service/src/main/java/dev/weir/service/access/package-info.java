/** Permissions and limits of rules; file systems as their callers see them. */
@NullMarked
package dev.weir.service.access;

import org.jspecify.annotations.NullMarked;
