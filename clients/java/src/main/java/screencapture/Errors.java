package screencapture;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** Creates the exceptions of responses. */
final class Errors {
    private Errors() {}

    /** The exception of a response with a status of 300 or above. */
    static ScreenCaptureException of(int status, HttpHeaders headers, byte[] content) {
        ErrorBody body = parse(content);
        if (body != null) return Exceptions.create(body, new ErrorResponse(status, retryAfter(headers)));
        String message = "Got status " + status + " without an error of the service. Check the base URL, and proxies in front of it.";
        return new ApiConnectionException(message, status >= 502 && status <= 504, null);
    }

    private static ErrorBody parse(byte[] content) {
        try {
            Object json = Json.parse(new String(content, StandardCharsets.UTF_8));
            boolean isError = json instanceof Map<?, ?> map && map.get("error") instanceof String && map.get("code") instanceof String;
            return isError ? Results.create(ErrorBody.class, json) : null;
        } catch (IllegalArgumentException error) {
            return null;
        }
    }

    private static Duration retryAfter(HttpHeaders headers) {
        try {
            return headers.firstValue("Retry-After").map(Double::parseDouble).map(Retries::seconds).orElse(null);
        } catch (NumberFormatException error) {
            return null;
        }
    }
}
