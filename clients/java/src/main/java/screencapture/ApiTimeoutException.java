package screencapture;

import java.time.Duration;

/** A call took longer than its timeout. */
@SuppressWarnings("serial")
public final class ApiTimeoutException extends ScreenCaptureException {
    ApiTimeoutException(String task, Duration timeout) {
        super(task + " took longer than " + timeout.toMillis() / 1000.0 + " s. Raise the timeout.", false, null);
    }
}
