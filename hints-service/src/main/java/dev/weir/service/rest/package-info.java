/** The REST calls on hints and hint sets, and what all calls share. */
@NullMarked
package dev.weir.service.rest;

import org.jspecify.annotations.NullMarked;
