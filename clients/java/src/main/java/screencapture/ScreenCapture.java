package screencapture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * The client of the Screen Capture API. Several threads can use it. Every method that sends a request throws
 * <code>ScreenCaptureException</code>: <code>ApiException</code> for an error of the service, which has a class for each code.
 */
public final class ScreenCapture {
    static final String CAPTURES = "/api/v1/screenshot";
    private static final String USAGE = "/api/v1/usage";
    private static final String EXPORTS = "/api/v1/usage/exports";
    private static final String INVOICES = "/api/v1/account/invoices";
    private static final Duration BULK_TIMEOUT = Duration.ofSeconds(300); // the service answers after at most 240 seconds
    private static final Duration DEFAULT_WAIT = Duration.ofMinutes(10);
    private static final Duration DEFAULT_EXPORT_WAIT = Duration.ofHours(1);

    private final Transport transport;
    private final CallSettings settings;
    private final Long keyId;
    private final String signingSecret;

    private ScreenCapture(Transport transport, CallSettings settings, Long keyId, String signingSecret) {
        this.transport = transport;
        this.settings = settings;
        this.keyId = keyId;
        this.signingSecret = signingSecret;
    }

    /** A client with <code>SCREEN_CAPTURE_KEY</code> and <code>SCREEN_CAPTURE_URL</code> of the environment. */
    public static ScreenCapture create() {
        return builder().build();
    }

    /** A client with settings of your own. */
    public static Builder builder() {
        return new Builder();
    }

    /** The address of the service, without a slash at the end. */
    public String baseUrl() {
        return transport.baseUrl;
    }

    /** The API keys of the account. */
    public Keys keys() {
        return new Keys(transport, settings);
    }

    /** The saved receivers of webhooks. */
    public Receivers receivers() {
        return new Receivers(transport, settings);
    }

    /**
     * This client with another time limit of each call with its retries: 200 seconds unless the method says otherwise. A capture that
     * takes longer is finished and billed all the same; the same request with the same idempotency key gets its result for free. The
     * option <code>timeout</code> of a capture ends the capture itself, and bounds its retries, too.
     */
    public ScreenCapture withTimeout(Duration timeout) {
        return with(settings.withTimeout(timeout));
    }

    /** This client with another number of retries of an error that is retryable: 2 by default. */
    public ScreenCapture withRetries(int retries) {
        return with(settings.withRetries(retries));
    }

    /**
     * This client with a name of the next request, so that the service runs it once. Use it for one request. By default, each one has a
     * random name, unless there are no retries.
     */
    public ScreenCapture withIdempotencyKey(String idempotencyKey) {
        return with(settings.withIdempotencyKey(idempotencyKey));
    }

    private ScreenCapture with(CallSettings other) {
        return new ScreenCapture(transport, other, keyId, signingSecret);
    }

    /** Captures a page and returns the bytes of the result. */
    public Capture capture(String url) {
        return capture(CaptureOptions.of(url));
    }

    /** Captures a page and returns the bytes of the result. */
    public Capture capture(CaptureOptions options) {
        HttpResponse<byte[]> response = transport.send(settings, Call.capture(options));
        return new Capture(CaptureInfo.of(response.headers()), response.body());
    }

    /**
     * Captures a page into a file, piece by piece, so that a large result needs no memory. The file is complete or, after an error, as
     * it was before.
     */
    public CaptureInfo captureToFile(CaptureOptions options, Path path) {
        Path part = path.resolveSibling(path.getFileName() + "." + UUID.randomUUID() + ".part");
        try {
            Files.createFile(part); // a folder that can't be written isn't a lost connection
            try {
                HttpResponse<byte[]> response = transport.send(settings, Call.capture(options).into(part));
                Files.move(part, path, StandardCopyOption.REPLACE_EXISTING);
                return CaptureInfo.of(response.headers());
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    /** Captures a page and stores the result, which has a link and the metadata that you request. */
    public CaptureResult store(CaptureOptions options) {
        return transport.json(CaptureResult.class, settings, Call.capture(options).with("response_type", "json"));
    }

    /**
     * Captures several results of a page and stores each one, which has a link. The options of each one are in <code>outputs</code>, and
     * all others in <code>options</code>. Throws if all of them fail; one that fails alone has an <code>error</code> in its place.
     */
    public OutputsResult storeOutputs(CaptureOptions options, List<CaptureOutput> outputs) {
        return transport.json(OutputsResult.class, settings, Call.capture(options).with("outputs", outputs));
    }

    /** Checks a request without a capture: returns all options that apply, or throws the error that the capture would get. */
    public CaptureValidation validate(CaptureOptions options) {
        return transport.json(CaptureValidation.class, settings, Call.post(CAPTURES, options).with("validate", true));
    }

    /** Queues an asynchronous capture. <code>waitFor</code> returns its result. */
    public CaptureAccepted enqueue(CaptureOptions options) {
        return transport.json(CaptureAccepted.class, settings, Call.post(CAPTURES, options).with("async", true));
    }

    /** The status of an asynchronous capture. */
    public CaptureState get(long requestId) {
        return transport.json(CaptureState.class, settings, Call.get(capturePath(requestId)));
    }

    /**
     * Waits for an asynchronous capture, at most 10 minutes unless <code>withTimeout</code> says otherwise. Throws the error of a capture
     * that failed.
     */
    public CaptureState waitFor(long requestId) {
        CaptureState state = waitForEnd(requestId);
        if (state.error() != null) throw Exceptions.create(state.error(), ErrorResponse.NONE);
        return state;
    }

    /**
     * Cancels an asynchronous capture, and waits until it has ended, which takes at most two seconds. Returns its status:
     * <code>failed</code> with the code <code>CANCELLED</code>, or <code>success</code> if it had ended before. A success is billed, and
     * its result is deleted.
     */
    public CaptureState cancel(long requestId) {
        deleteResult(requestId);
        return waitForEnd(requestId);
    }

    private CaptureState waitForEnd(long requestId) {
        Deadline deadline = new Deadline("Capture " + requestId, settings.timeoutOr(DEFAULT_WAIT));
        for (int attempt = 0; ; attempt++) {
            Duration delay;
            try {
                HttpResponse<byte[]> response = transport.send(settings, deadline.remaining(), Call.get(capturePath(requestId)));
                CaptureState state = Results.create(CaptureState.class, Transport.parse(response));
                if ("success".equals(state.status()) || "failed".equals(state.status())) return state;
                delay = Retries.pollDelay(response.headers(), attempt);
            } catch (RateLimitedException error) {
                delay = Retries.delay(error, attempt);
            }
            deadline.sleep(delay);
        }
    }

    /** Deletes the result of an asynchronous capture, or cancels one that hasn't ended; <code>cancel</code> also waits for its end. */
    public void deleteResult(long requestId) {
        transport.send(settings, Call.delete(capturePath(requestId)));
    }

    /** The asynchronous captures of the last 30 days, newest first. */
    public Listing<CaptureState> jobs() {
        return jobs(null);
    }

    /** The asynchronous captures of the last 30 days that match, newest first. */
    public Listing<CaptureState> jobs(AsyncCaptureFilter filter) {
        return Listings.older(CaptureState.class, transport, settings, "/api/v1/jobs", filter);
    }

    /** How a capture with <code>metadata_report</code> came about. */
    public CaptureReport report(long requestId) {
        return transport.json(CaptureReport.class, settings, Call.get(capturePath(requestId) + "/report"));
    }

    /** Sends the webhook of an asynchronous capture again. */
    public WebhookRedelivery redeliverWebhook(long requestId) {
        return transport.json(WebhookRedelivery.class, settings, Call.post(capturePath(requestId) + "/webhook/redeliver"));
    }

    /** Sends a test event to the receiver of your webhooks, signed with the secret of the key, and returns what it answered. */
    public WebhookTest testWebhook(WebhookTestRequest request) {
        return transport.json(WebhookTest.class, settings, Call.post("/api/v1/webhooks/test", request));
    }

    /**
     * Makes up to 20 captures, and waits for them unless <code>execute</code> is false. While too many other bulk requests wait, the
     * captures are returned as they are: call <code>waitFor</code> for those whose status is <code>queued</code> or
     * <code>processing</code>.
     */
    public List<BulkCapture> bulk(Bulk requests) {
        CallSettings patient = settings.withTimeout(settings.timeoutOr(BULK_TIMEOUT));
        return transport.list(BulkCapture.class, patient, Call.post("/api/v1/bulk", requests));
    }

    /** A link that shows a capture to everyone who opens it for 30 days. */
    public String link(CaptureOptions options) {
        return link(options, SignedLink.DEFAULT_LIFETIME);
    }

    /**
     * A link that shows a capture to everyone who opens it, such as the <code>src</code> of an <code>&lt;img&gt;</code>. It is made
     * without a request, and needs <code>keyId</code> and <code>signingSecret</code>. The lifetime is at most 366 days.
     */
    public String link(CaptureOptions options, Duration lifetime) {
        if (keyId == null || signingSecret == null) throw new UsageException("Links need the keyId and the signingSecret of an API key.");
        return SignedLink.of(transport.baseUrl, options, lifetime, keyId, signingSecret);
    }

    /**
     * The event of a webhook, verified with <code>signingSecret</code>. The function returns a header of the request by its name, such as
     * <code>request::getHeader</code>. The body is the raw body of the request. Throws <code>WebhookVerificationException</code>.
     */
    public WebhookEvent verifyWebhook(Function<String, String> header, byte[] body) {
        if (signingSecret == null) throw new UsageException("The verification of webhooks needs the signingSecret of an API key.");
        return Webhook.verify(header, body, signingSecret);
    }

    /** The captures of the account, newest first. */
    public Listing<CaptureLog> captures() {
        return captures(null);
    }

    /** The captures of the account that match, newest first. */
    public Listing<CaptureLog> captures(CaptureFilter filter) {
        return Listings.captures(transport, settings, filter);
    }

    /** The captures of the account that match, newest first, also by format, cache, and address. */
    public Listing<CaptureLog> search(SearchFilter filter) {
        return Listings.older(CaptureLog.class, transport, settings, USAGE + "/search", filter);
    }

    /** A capture of the account with its times by phase, its warnings, and the link to its result. */
    public CaptureDetails details(long requestId) {
        return transport.json(CaptureDetails.class, settings, Call.get(USAGE + "/" + requestId));
    }

    /** The thumbnail of a capture, as WebP. Throws <code>NotFoundException</code> for a capture without one. */
    public byte[] thumbnail(long requestId) {
        return transport.send(settings, Call.get(USAGE + "/" + requestId + "/thumbnail")).body();
    }

    /** Deletes the result, the report, and the thumbnail of a capture, which stays in the list. */
    public void deleteCapture(long requestId) {
        transport.send(settings, Call.delete(USAGE + "/" + requestId));
    }

    /** The captures of the account that match, as CSV, or as NDJSON with <code>ExportFormat.NDJSON</code>. */
    public String exportCaptures(ExportFilter filter) {
        return new Capture(null, transport.send(settings, Call.get(USAGE + "/export", filter)).body()).text();
    }

    /**
     * Starts an export of any number of captures that match, as CSV, or as NDJSON with <code>ExportFormat.NDJSON</code>.
     * <code>waitForExport</code> returns the link to its file.
     */
    public DataExport startExport(ExportRequest request) {
        return transport.json(DataExport.class, settings, Call.post(EXPORTS, request));
    }

    /** The state of an export, with a new link to its file. */
    public DataExport getExport(long exportId) {
        return transport.json(DataExport.class, settings, Call.get(EXPORTS + "/" + exportId));
    }

    /**
     * Waits until an export has ended, at most an hour unless <code>withTimeout</code> says otherwise. Download its
     * <code>downloadUrl</code>, a gzip file, within an hour. Throws if the export failed: start another one then.
     */
    public DataExport waitForExport(long exportId) {
        Deadline deadline = new Deadline("Export " + exportId, settings.timeoutOr(DEFAULT_EXPORT_WAIT));
        for (double delay = 0.5; ; delay = Math.min(2 * delay, 15)) {
            DataExport export = with(settings.withTimeout(deadline.remaining())).getExport(exportId);
            if ("ready".equals(export.status())) return export;
            if ("failed".equals(export.status())) {
                throw new ScreenCaptureException("Export " + exportId + " failed. Start another one.", false, null);
            }
            deadline.sleep(Retries.seconds(delay));
        }
    }

    /** The last 7 days of the account with their captures, newest first. */
    public Listing<UsageDay> usage() {
        return usage(null);
    }

    /** The days of the account with their captures, newest first; the last 7 unless the filter says otherwise. */
    public Listing<UsageDay> usage(StatisticsFilter filter) {
        return Listings.days(transport, settings, filter);
    }

    /** Statistics of up to 90 days, with totals. */
    public UsageStatistics statistics(StatisticsFilter filter) {
        return transport.json(UsageStatistics.class, settings, Call.get(USAGE + "/stats", filter));
    }

    /** The newest 2,000 captures of up to 90 days by format, host, and API key, with percentiles. */
    public UsageBreakdown breakdown(BreakdownFilter filter) {
        return transport.json(UsageBreakdown.class, settings, Call.get(USAGE + "/breakdown", filter));
    }

    /** Plan, billing period, quotas, and cost. */
    public Account account() {
        return transport.json(Account.class, settings, Call.get("/api/v1/account"));
    }

    /** Name, e-mail address, and plan. */
    public AccountSettings settings() {
        return transport.json(AccountSettings.class, settings, Call.get("/api/v1/account/settings"));
    }

    /** The invoices of all billing periods, newest first. */
    public List<Invoice> invoices() {
        return transport.list(Invoice.class, settings, Call.get(INVOICES));
    }

    /** An invoice as a PDF. */
    public byte[] invoicePdf(Invoice invoice) {
        return transport.send(settings, Call.get(INVOICES + "/" + Query.encode(invoice.period().start()) + "/pdf")).body();
    }

    private static String capturePath(long requestId) {
        return CAPTURES + "/" + requestId;
    }

    /** Collects the settings of a client. */
    public static final class Builder {
        private String key = System.getenv("SCREEN_CAPTURE_KEY");
        private String baseUrl = System.getenv("SCREEN_CAPTURE_URL");
        private Long keyId;
        private String signingSecret;
        private HttpClient httpClient;

        private Builder() {}

        /** An API key, <code>cap_…</code>, or one for tests, <code>cap_test_…</code>. Default: <code>SCREEN_CAPTURE_KEY</code>. */
        public Builder key(String key) {
            this.key = key;
            return this;
        }

        /** The address of the service, such as <code>https://api.example.com</code>. Default: <code>SCREEN_CAPTURE_URL</code>. */
        public Builder baseUrl(String baseUrl) {
            this.baseUrl = baseUrl;
            return this;
        }

        /** The id of the API key that signs links. */
        public Builder keyId(long keyId) {
            this.keyId = keyId;
            return this;
        }

        /** The secret of the API key that signs links and webhooks, <code>whsec_…</code>. */
        public Builder signingSecret(String signingSecret) {
            this.signingSecret = signingSecret;
            return this;
        }

        /** Sends the requests, for example with certificates of your own. It must not follow redirects. */
        public Builder httpClient(HttpClient httpClient) {
            this.httpClient = httpClient;
            return this;
        }

        /** Creates the client. Throws <code>UsageException</code> for an address or a key that no request could use. */
        public ScreenCapture build() {
            return new ScreenCapture(new Transport(key, baseUrl, httpClient), CallSettings.DEFAULT, keyId, signingSecret);
        }
    }
}
