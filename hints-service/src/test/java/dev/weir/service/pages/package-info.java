/** Tests of the pages for browsers. */
@NullMarked
package dev.weir.service.pages;

import org.jspecify.annotations.NullMarked;
