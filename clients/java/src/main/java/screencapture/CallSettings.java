package screencapture;

import java.time.Duration;

/** The settings of a call; the timeout is null for that of the method. */
record CallSettings(Duration timeout, int retries, String idempotencyKey) {
    /** Longer than the service takes for a capture: 90 seconds, and a retry. */
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(200);

    static final CallSettings DEFAULT = new CallSettings(null, 2, null);

    Duration timeoutOr(Duration otherwise) {
        return timeout == null ? otherwise : timeout;
    }

    Duration timeoutOrDefault() {
        return timeoutOr(DEFAULT_TIMEOUT);
    }

    CallSettings withTimeout(Duration limit) {
        return new CallSettings(limit, retries, idempotencyKey);
    }

    CallSettings withRetries(int number) {
        return new CallSettings(timeout, number, idempotencyKey);
    }

    CallSettings withIdempotencyKey(String key) {
        return new CallSettings(timeout, retries, key);
    }
}
