package screencapture;

import java.net.URLDecoder;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What the headers of a capture say.
 *
 * @param mimeType Such as <code>image/png</code>.
 * @param requestId The number of the request.
 * @param responseTime Duration of the request in the service.
 * @param fromCache True if the result came from the cache.
 * @param finalUrl URL of the page after redirects. Empty for HTML and Markdown.
 * @param warnings How the result differs from what you requested.
 * @param problems Codes of what looks wrong in the result, the worst first. <code>details(requestId)</code> says more.
 * @param quality 100 minus what the problems take from it. Empty without problems, unless the request asks for it.
 * @param headers All headers of the response, such as <code>X-Image-Width</code> with <code>metadata_image_size</code>.
 */
public record CaptureInfo(
    String mimeType,
    long requestId,
    Duration responseTime,
    boolean fromCache,
    Optional<String> finalUrl,
    Optional<String> warnings,
    List<String> problems,
    Optional<Integer> quality,
    HttpHeaders headers) {

    static CaptureInfo of(HttpHeaders headers) {
        String cache = headers.firstValue("X-Cache").orElse("");
        return new CaptureInfo(
            headers.firstValue("Content-Type").orElse(""),
            headers.firstValueAsLong("X-Request-Id").orElse(0),
            Duration.ofMillis(headers.firstValueAsLong("X-Response-Time").orElse(0)),
            cache.equals("HIT") || cache.equals("STALE"),
            headers.firstValue("X-Final-URL"),
            headers.firstValue("X-Warnings").map(CaptureInfo::unescape),
            headers.firstValue("X-Problems").map(codes -> Arrays.stream(codes.split(",")).map(String::strip).toList()).orElse(List.of()),
            headers.firstValue("X-Quality").map(Integer::valueOf),
            headers);
    }

    /** A plus sign stands for itself in a header. */
    private static String unescape(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
