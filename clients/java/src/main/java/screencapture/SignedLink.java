package screencapture;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** Signed links: the URL of a capture that anyone can open, signed with HMAC-SHA256 and without a request to the service. */
final class SignedLink {
    static final Duration DEFAULT_LIFETIME = Duration.ofDays(30);
    private static final Duration MAX_LIFETIME = Duration.ofDays(366);

    private SignedLink() {}

    static String of(String baseUrl, Options options, Duration lifetime, long keyId, String signingSecret) {
        if (lifetime.isZero() || lifetime.isNegative() || lifetime.compareTo(MAX_LIFETIME) > 0) {
            throw new UsageException("The lifetime of a link must be more than 0 and at most 366 days.");
        }
        Map<String, Object> values = new LinkedHashMap<>(options.values());
        values.put("key_id", keyId);
        values.put("expires", Instant.now().plus(lifetime).getEpochSecond());
        String query = Query.of(values);
        byte[] signature = Webhook.hmac(signingSecret.getBytes(StandardCharsets.UTF_8), query.getBytes(StandardCharsets.UTF_8));
        return baseUrl + ScreenCapture.CAPTURES + "?" + query + "&signature=" + HexFormat.of().formatHex(signature);
    }
}
