package dev.weir.hints.client.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalLong;

/**
 * What the service answered.
 *
 * @param status the HTTP status, below 400
 * @param json the body; a missing node when there is none
 * @param version the version of the hint set that the answer is about, where it says one
 */
public record Answer(int status, JsonNode json, OptionalLong version) {}
