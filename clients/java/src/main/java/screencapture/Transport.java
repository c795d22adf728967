package screencapture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends requests with the API key, and retries those that can succeed later. */
final class Transport {
    final String baseUrl;
    private final String key;
    private final HttpClient client;

    /** Throws <code>UsageException</code> for an address or a key that no request could use. */
    Transport(String key, String baseUrl, HttpClient client) {
        URI address = parseBaseUrl(baseUrl);
        this.baseUrl = baseUrl.replaceAll("/+$", "");
        this.key = parseKey(key);
        if (client != null && client.followRedirects() != HttpClient.Redirect.NEVER) {
            throw new UsageException("The HttpClient must not follow redirects: a redirect could lead the API key to another host.");
        }
        // Without TLS, the offer of HTTP/2 is an upgrade that proxies may not understand.
        HttpClient.Version version = address.getScheme().equals("http") ? HttpClient.Version.HTTP_1_1 : HttpClient.Version.HTTP_2;
        this.client = client != null ? client : HttpClient.newBuilder().version(version).build();
    }

    private static URI parseBaseUrl(String baseUrl) {
        if (baseUrl == null || baseUrl.isEmpty()) {
            throw new UsageException("The address of the service is missing: set baseUrl, such as https://api.example.com, or SCREEN_CAPTURE_URL.");
        }
        try {
            URI address = new URI(baseUrl);
            boolean isHttp = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
            if (isHttp && address.getHost() != null) return address;
        } catch (URISyntaxException error) {
            // Told below: the message of this one has the whole text.
        }
        throw new UsageException("baseUrl isn't a URL of a service, such as https://api.example.com. Correct it, or SCREEN_CAPTURE_URL.");
    }

    /** A header can't contain other characters, and an error would report the whole value. */
    private static String parseKey(String key) {
        if (key == null || key.isEmpty()) return null;
        String trimmed = key.strip();
        if (!trimmed.chars().allMatch(each -> each >= '!' && each <= '~')) {
            throw new UsageException("The key isn't an API key: it looks like cap_…, without spaces.");
        }
        return trimmed;
    }

    /** Sends a call and returns the parsed JSON of its response. */
    Object json(CallSettings settings, Call call) {
        return parse(send(settings, settings.timeoutOrDefault(), call));
    }

    <T extends Record> T json(Class<T> type, CallSettings settings, Call call) {
        return Results.create(type, json(settings, call));
    }

    /** The items of the response, in <code>data</code>. */
    <T extends Record> List<T> list(Class<T> type, CallSettings settings, Call call) {
        return Results.createList(type, json(settings, call) instanceof Map<?, ?> answer ? answer.get("data") : null);
    }

    static Object parse(HttpResponse<byte[]> response) {
        try {
            return Json.parse(new String(response.body(), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException error) {
            String message = "The response isn't what the service answers. Check the base URL, and proxies in front of it.";
            throw new ApiConnectionException(message, false, error);
        }
    }

    HttpResponse<byte[]> send(CallSettings settings, Call call) {
        return send(settings, settings.timeoutOrDefault(), call);
    }

    /** Returns the response of a success. Throws the last error if there is no time for another attempt. */
    HttpResponse<byte[]> send(CallSettings settings, Duration timeout, Call call) {
        long startedAt = System.nanoTime();
        Deadline deadline = new Deadline(call.task(), timeout);
        Call next = call;
        HttpRequest.Builder request = request(settings, next);
        for (int attempt = 0; ; attempt++) {
            try {
                return attempt(request, next, deadline);
            } catch (ScreenCaptureException error) {
                Duration delay = Retries.delay(error, attempt);
                boolean isLast = !Retries.canRetry(error) || attempt >= settings.retries();
                if (isLast || delay.compareTo(deadline.remaining()) >= 0) throw error;
                if (call.isCapture()) {
                    Duration elapsed = Duration.ofNanos(System.nanoTime() - startedAt).plus(delay);
                    Map<String, Object> body = Retries.nextBody(call.body(), error, elapsed, settings.idempotencyKey() != null);
                    if (body == null) throw error;
                    if (body != next.body()) {
                        next = next.withBody(body);
                        request = request(settings, next);
                    }
                }
                deadline.sleep(delay);
            }
        }
    }

    private HttpRequest.Builder request(CallSettings settings, Call call) {
        if (key == null) {
            throw new UsageException("This call needs the key of the client: an API key, cap_…. Set it, or SCREEN_CAPTURE_KEY.");
        }
        String query = Query.of(call.query());
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(baseUrl + call.path() + (query.isEmpty() ? "" : "?" + query)))
            .header("User-Agent", "screen-capture-client-java/" + Version.NUMBER)
            .header("Authorization", "Bearer " + key);
        String name = settings.idempotencyKey();
        if (name == null && settings.retries() > 0) name = UUID.randomUUID().toString();
        if (call.method().equals("POST") && name != null) request.header("Idempotency-Key", name);
        return call.body() == null ? request : request.header("Content-Type", "application/json");
    }

    private HttpResponse<byte[]> attempt(HttpRequest.Builder builder, Call call, Deadline deadline) {
        BodyPublisher body = call.body() == null ? new SingleAttempt() : BodyPublishers.ofString(Json.write(call.body()));
        HttpRequest request = builder.method(call.method(), body).build();
        CompletableFuture<HttpResponse<byte[]>> sent = client.sendAsync(request, receiver(call.file()));
        try {
            HttpResponse<byte[]> response = sent.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
            if (response.statusCode() < 300) return response;
            throw Errors.of(response.statusCode(), response.headers(), response.body());
        } catch (TimeoutException error) {
            sent.cancel(true);
            throw deadline.error();
        } catch (InterruptedException error) {
            sent.cancel(true);
            throw Deadline.interrupted(error);
        } catch (ExecutionException error) {
            boolean isLost = error.getCause() instanceof IOException || error.getCause() instanceof UncheckedIOException;
            if (!isLost) throw new IllegalStateException(error.getCause());
            String host = request.uri().getScheme() + "://" + request.uri().getAuthority();
            throw new ApiConnectionException("Can't reach " + host + ". Is the service running?", true, error.getCause());
        }
    }

    /** Each attempt writes a successful response to the file, and all else to memory. */
    private static BodyHandler<byte[]> receiver(Path file) {
        return response -> file == null || response.statusCode() >= 300
            ? BodySubscribers.ofByteArray()
            : BodySubscribers.mapping(
                BodySubscribers.ofFile(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING),
                written -> new byte[0]);
    }
}
