/** The REST calls on hints and hint sets, and the code that all calls share. */
@NullMarked
package dev.weir.service.rest;

import org.jspecify.annotations.NullMarked;
