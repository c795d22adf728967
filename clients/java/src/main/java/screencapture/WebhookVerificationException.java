package screencapture;

/** A webhook isn't authentic. */
@SuppressWarnings("serial")
public final class WebhookVerificationException extends ScreenCaptureException {
    WebhookVerificationException(String message) {
        super(message, false, null);
    }
}
