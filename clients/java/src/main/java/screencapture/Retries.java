package screencapture;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Waiting times between attempts and between polls: what the service's headers say, else exponential backoff. */
final class Retries {
    private static final double FIRST_RETRY_S = 0.5;
    private static final double MAX_RETRY_S = 20;
    private static final double FIRST_POLL_S = 0.4;
    private static final double MAX_POLL_S = 5;

    private Retries() {}

    /** Retry-After also comes with a conflict that ends: a request with the same Idempotency-Key is in progress. */
    static boolean canRetry(ScreenCaptureException error) {
        return error.retryable() || (error instanceof ApiException failed && failed.retryAfter() != null);
    }

    /** The time before the next attempt: Retry-After, else exponential backoff with full jitter. */
    static Duration delay(ScreenCaptureException error, int attempt) {
        if (error instanceof ApiException failed && failed.retryAfter() != null) return failed.retryAfter();
        return seconds(ThreadLocalRandom.current().nextDouble() * Math.min(MAX_RETRY_S, FIRST_RETRY_S * Math.pow(2, attempt + 1)));
    }

    /**
     * The time before the status of a capture is requested again. When a request of the rate limit is all that is left, waits until
     * more are available, so that polling doesn't keep the account from capturing.
     */
    static Duration pollDelay(HttpHeaders headers, int attempt) {
        Duration backoff = seconds(Math.min(MAX_POLL_S, FIRST_POLL_S * Math.pow(1.5, attempt)));
        long remaining = headers.firstValueAsLong("X-RateLimit-Remaining").orElse(2);
        if (remaining > 1) return backoff;
        Instant reset = Instant.ofEpochSecond(headers.firstValueAsLong("X-RateLimit-Reset").orElse(0));
        Duration untilReset = Duration.between(Instant.now(), reset);
        return untilReset.compareTo(backoff) > 0 ? untilReset : backoff;
    }

    /**
     * The body of the next attempt at a capture, which starts after the elapsed time; null if the option timeout of the capture leaves
     * no time for it. The service has ended a capture whose error it has told, so another one can have the rest of the time, under
     * another name. After a lost response the same request is sent again, to get its result.
     */
    static Map<String, Object> nextBody(Map<String, Object> body, ScreenCaptureException error, Duration elapsed, boolean isNamed) {
        if (!(body.get("timeout") instanceof Number given)) return body;
        long timeout = (long) Math.floor(given.doubleValue() - elapsed.toMillis() / 1000.0);
        double pause = body.get("delay") instanceof Number delay ? delay.doubleValue() : 0;
        if (timeout < 1 || timeout <= pause) return null;
        boolean hasEnded = error instanceof ApiException && !(error instanceof ConflictException);
        if (!hasEnded || isNamed) return body;
        Map<String, Object> next = new LinkedHashMap<>(body);
        next.put("timeout", timeout);
        return next;
    }

    static Duration seconds(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }
}
