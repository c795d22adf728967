package screencapture;

import java.time.Duration;

/** What a response says about an error outside of its body: nothing for the error of an asynchronous capture. */
record ErrorResponse(Integer status, Duration retryAfter) {
    static final ErrorResponse NONE = new ErrorResponse(null, null);
}
