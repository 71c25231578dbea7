/** Sends calls to the hints service over HTTP: instances, retries, authentication and TLS. */
@NullMarked
package dev.weir.hints.client.http;

import org.jspecify.annotations.NullMarked;
