package screencapture;

import java.time.Duration;

/** The time limit of a call with its retries. */
final class Deadline {
    private final String task;
    private final Duration timeout;
    private final long endsAt;

    /** The task is what takes the time, for the message, such as <code>GET /api/v1/account</code>. */
    Deadline(String task, Duration timeout) {
        this.task = task;
        this.timeout = timeout;
        this.endsAt = System.nanoTime() + timeout.toNanos();
    }

    /** The time that is left. Throws <code>ApiTimeoutException</code> if there is none. */
    Duration remaining() {
        long nanoseconds = endsAt - System.nanoTime();
        if (nanoseconds <= 0) throw error();
        return Duration.ofNanos(nanoseconds);
    }

    ApiTimeoutException error() {
        return new ApiTimeoutException(task, timeout);
    }

    /** Waits for a time, but not longer than what is left. */
    void sleep(Duration duration) {
        Duration left = remaining();
        Duration shorter = duration.compareTo(left) < 0 ? duration : left;
        try {
            Thread.sleep(shorter.toMillis(), shorter.toNanosPart() % 1_000_000);
        } catch (InterruptedException error) {
            throw interrupted(error);
        }
    }

    static ScreenCaptureException interrupted(InterruptedException error) {
        Thread.currentThread().interrupt();
        return new ScreenCaptureException("The thread was interrupted.", false, error);
    }
}
