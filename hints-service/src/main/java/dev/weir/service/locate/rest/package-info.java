/** The REST calls on locations, rankings, explanations and inferred hints. */
@NullMarked
package dev.weir.service.locate.rest;

import org.jspecify.annotations.NullMarked;
