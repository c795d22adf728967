package screencapture;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies webhooks: the signature of Standard Webhooks (https://www.standardwebhooks.com) over id, time, and body. */
public final class Webhook {
    private static final Duration TOLERANCE = Duration.ofMinutes(5); // as Standard Webhooks recommends

    private Webhook() {}

    /**
     * The event of a webhook whose signature is valid. The function returns a header of the request by its name, such as
     * <code>request::getHeader</code>, and <code>null</code> without one. The body is the raw body of the request. Throws
     * <code>WebhookVerificationException</code> otherwise.
     */
    public static WebhookEvent verify(Function<String, String> header, byte[] body, String signingSecret) {
        String timestamp = orEmpty(header.apply("webhook-timestamp"));
        checkTime(timestamp);
        byte[] start = (orEmpty(header.apply("webhook-id")) + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
        String digest = Base64.getEncoder().encodeToString(hmac(decode(signingSecret), start, body));
        byte[] expected = ("v1," + digest).getBytes(StandardCharsets.UTF_8);
        for (String signature : orEmpty(header.apply("webhook-signature")).split(" ")) {
            if (MessageDigest.isEqual(signature.getBytes(StandardCharsets.UTF_8), expected)) return parse(body);
        }
        throw new WebhookVerificationException("The signature of the webhook doesn't match. Pass the raw body and the secret of its API key.");
    }

    private static WebhookEvent parse(byte[] body) {
        try {
            return Results.create(WebhookEvent.class, Json.parse(new String(body, StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException error) {
            throw new WebhookVerificationException("The body of the webhook isn't an event.");
        }
    }

    private static void checkTime(String timestamp) {
        boolean isNumber = !timestamp.isEmpty() && timestamp.length() < 13 && timestamp.chars().allMatch(each -> each >= '0' && each <= '9');
        if (isNumber) {
            Duration distance = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), Instant.now()).abs();
            if (distance.compareTo(TOLERANCE) <= 0) return;
        }
        throw new WebhookVerificationException("The time of the webhook is missing or not close to now.");
    }

    private static byte[] decode(String secret) {
        try {
            return Base64.getDecoder().decode(secret.startsWith("whsec_") ? secret.substring("whsec_".length()) : secret);
        } catch (IllegalArgumentException error) {
            throw new WebhookVerificationException("The signing secret isn't one: it looks like whsec_….");
        }
    }

    static byte[] hmac(byte[] key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            for (byte[] part : parts) mac.update(part);
            return mac.doFinal();
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }
}
