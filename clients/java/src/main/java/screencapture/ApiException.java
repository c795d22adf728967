package screencapture;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The service answered with an error. The message says what failed, why, and how to fix it. Each code has a class of its own. */
@SuppressWarnings("serial")
public class ApiException extends ScreenCaptureException {
    private final transient ErrorBody body;
    private final Integer status;
    private final Duration retryAfter;

    ApiException(ErrorBody body, ErrorResponse response) {
        super(body.error(), body.retryable(), null);
        this.body = body;
        this.status = response.status();
        Long pageAsks = body.target() == null || !body.retryable() ? null : body.target().retryAfter();
        Duration otherwise = pageAsks == null ? null : Duration.ofSeconds(pageAsks);
        this.retryAfter = response.retryAfter() == null ? otherwise : response.retryAfter();
    }

    /** What kind of error it is, such as <code>VALIDATION_ERROR</code>. */
    public final String code() {
        return body.code();
    }

    /** The HTTP status code: <code>null</code> for the error of an asynchronous capture. */
    public final Integer status() {
        return status;
    }

    /** The number of the request. */
    public final String requestId() {
        return String.valueOf(body.requestId());
    }

    /** Messages by option, or figures that explain the error. */
    public final Map<String, Object> details() {
        return body.details() == null ? Map.of() : body.details();
    }

    /** How the page responded: <code>null</code> if it was neither reached nor tried. */
    public final Target target() {
        return body.target();
    }

    /** What was wrong with the page, for a capture that broke a rule. */
    public final List<Problem> problems() {
        return body.problems();
    }

    /** The address of the documentation of this error. */
    public final String docs() {
        return body.docs();
    }

    /** The time to wait before the next attempt: <code>null</code> unless the service says so. */
    public final Duration retryAfter() {
        return retryAfter;
    }
}
