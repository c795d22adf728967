package screencapture;

/** Any failure of the client. */
@SuppressWarnings("serial")
public class ScreenCaptureException extends RuntimeException {
    private final boolean retryable;

    ScreenCaptureException(String message, boolean retryable, Throwable cause) {
        super(message, cause);
        this.retryable = retryable;
    }

    /** True if the same request can succeed later. */
    public final boolean retryable() {
        return retryable;
    }
}
