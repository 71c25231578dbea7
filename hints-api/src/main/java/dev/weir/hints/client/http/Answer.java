package dev.weir.hints.client.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalLong;

/**
 * An answer of the service.
 *
 * @param status the HTTP status, below 400
 * @param json the body; a missing node if there is none
 * @param version the version of the hint set that the answer concerns, if given
 */
public record Answer(int status, JsonNode json, OptionalLong version) {}
