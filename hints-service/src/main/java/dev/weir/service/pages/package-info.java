/** The answers of the REST API as HTML pages, for browsers. */
@NullMarked
package dev.weir.service.pages;

import org.jspecify.annotations.NullMarked;
