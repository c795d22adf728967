package screencapture;

/** A call can't be made: a setting of the client is missing or wrong. */
@SuppressWarnings("serial")
public final class UsageException extends ScreenCaptureException {
    UsageException(String message) {
        super(message, false, null);
    }
}
