package screencapture;

/** The service couldn't be reached, or its response was cut off. */
@SuppressWarnings("serial")
public final class ApiConnectionException extends ScreenCaptureException {
    ApiConnectionException(String message, boolean retryable, Throwable cause) {
        super(message, retryable, cause);
    }
}
