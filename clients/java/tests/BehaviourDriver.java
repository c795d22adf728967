import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import screencapture.ApiConnectionException;
import screencapture.ApiException;
import screencapture.ApiTimeoutException;
import screencapture.AsyncCaptureFilter;
import screencapture.Bulk;
import screencapture.Capture;
import screencapture.CaptureFilter;
import screencapture.CaptureInfo;
import screencapture.CaptureOptions;
import screencapture.CaptureOutput;
import screencapture.ExportFilter;
import screencapture.Json;
import screencapture.KeyChanges;
import screencapture.KeyRotation;
import screencapture.Listing;
import screencapture.NewKey;
import screencapture.NewWebhookReceiver;
import screencapture.Options;
import screencapture.ScreenCapture;
import screencapture.SearchFilter;
import screencapture.StatisticsFilter;
import screencapture.UsageException;
import screencapture.WebhookReceiverChanges;
import screencapture.WebhookTestRequest;
import screencapture.WebhookVerificationException;

/** Calls the client as a test says: a line of JSON for each call, and one for its answer. */
public final class BehaviourDriver {
    private final Map<?, ?> asked;

    private BehaviourDriver(Map<?, ?> asked) {
        this.asked = asked;
    }

    public static void main(String[] arguments) throws IOException {
        PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            output.println(Json.write(answer((Map<?, ?>) Json.parse(line))));
        }
    }

    private static Map<String, Object> answer(Map<?, ?> asked) {
        Map<String, Object> answer = new LinkedHashMap<>();
        try {
            answer.put("value", new BehaviourDriver(asked).value());
        } catch (Exception error) {
            answer.put("error", describe(error));
        }
        return answer;
    }

    private Object value() throws IOException, NoSuchAlgorithmException {
        ScreenCapture client = client();
        String call = (String) asked.get("call");
        return switch (call) {
            case "capture" -> captured(client.capture(captureOptions()));
            case "capture_to_file" -> {
                Path path = Path.of((String) asked.get("path"));
                Map<String, Object> described = describe(client.captureToFile(captureOptions(), path));
                described.put("size", Files.size(path));
                yield described;
            }
            case "store" -> client.store(captureOptions());
            case "store_outputs" -> storeOutputs(client);
            case "validate" -> client.validate(captureOptions());
            case "enqueue" -> client.enqueue(captureOptions());
            case "get" -> client.get(number());
            case "wait" -> client.waitFor(number());
            case "cancel" -> client.cancel(number());
            case "bulk" -> client.bulk(fill(Bulk.builder()).build());
            case "account" -> client.account();
            case "statistics" -> client.statistics(fill(StatisticsFilter.builder()).build());
            case "test_webhook" -> client.testWebhook(fill(WebhookTestRequest.builder()).build());
            case "details" -> client.details(number());
            case "delete_result" -> {
                client.deleteResult(number());
                yield null;
            }
            case "export_captures" -> Map.of("text", client.exportCaptures(fill(ExportFilter.builder()).build()));
            case "link" -> Map.of("url", link(client));
            case "verify_webhook" -> verify(client);
            case "captures" -> first(client.captures(fill(CaptureFilter.builder()).build()));
            case "jobs" -> first(client.jobs(fill(AsyncCaptureFilter.builder()).build()));
            case "search" -> first(client.search(fill(SearchFilter.builder()).build()));
            case "usage" -> first(client.usage(fill(StatisticsFilter.builder()).build()));
            default -> call.startsWith("keys.") ? ofKeys(client, call) : ofReceivers(client, call);
        };
    }

    private Object ofKeys(ScreenCapture client, String call) {
        return switch (call) {
            case "keys.list" -> client.keys().list();
            case "keys.create" -> client.keys().create(fill(NewKey.builder()).build());
            case "keys.get" -> client.keys().get(number());
            case "keys.change" -> client.keys().change(number(), fill(KeyChanges.builder()).build());
            case "keys.rotate" -> client.keys().rotate(number(), fill(KeyRotation.builder()).build());
            case "keys.revoke" -> client.keys().revoke(number());
            default -> throw new IllegalArgumentException(call);
        };
    }

    private Object ofReceivers(ScreenCapture client, String call) {
        String id = String.valueOf(asked.get("id"));
        return switch (call) {
            case "receivers.list" -> client.receivers().list();
            case "receivers.create" -> client.receivers().create(fill(NewWebhookReceiver.builder()).build());
            case "receivers.get" -> client.receivers().get(id);
            case "receivers.change" -> client.receivers().change(id, fill(WebhookReceiverChanges.builder()).build());
            case "receivers.pause" -> client.receivers().pause(id);
            case "receivers.resume" -> client.receivers().resume(id);
            case "receivers.test" -> client.receivers().test(id);
            case "receivers.delete" -> {
                client.receivers().delete(id);
                yield null;
            }
            default -> throw new IllegalArgumentException(call);
        };
    }

    private ScreenCapture client() {
        ScreenCapture.Builder builder = ScreenCapture.builder();
        if (asked.get("client") instanceof Map<?, ?> settings) {
            if (settings.get("key") instanceof String key) builder.key(key);
            if (settings.get("base_url") instanceof String baseUrl) builder.baseUrl(baseUrl);
            if (settings.get("key_id") instanceof Long keyId) builder.keyId(keyId);
            if (settings.get("signing_secret") instanceof String secret) builder.signingSecret(secret);
        }
        ScreenCapture client = builder.build();
        if (asked.get("timeout") instanceof Number timeout) client = client.withTimeout(seconds(timeout));
        if (asked.get("retries") instanceof Number retries) client = client.withRetries(retries.intValue());
        if (asked.get("idempotency_key") instanceof String name) client = client.withIdempotencyKey(name);
        return client;
    }

    private CaptureOptions captureOptions() {
        return fill(CaptureOptions.builder()).build();
    }

    private <B extends Options.Builder<B>> B fill(B builder) {
        return fill(builder, asked.get("options"));
    }

    private static <B extends Options.Builder<B>> B fill(B builder, Object values) {
        if (values instanceof Map<?, ?> map) map.forEach((name, value) -> builder.option((String) name, value));
        return builder;
    }

    private Object storeOutputs(ScreenCapture client) {
        Map<?, ?> options = (Map<?, ?>) asked.get("options");
        List<CaptureOutput> outputs = new ArrayList<>();
        for (Object each : (List<?>) options.get("outputs")) outputs.add(fill(CaptureOutput.builder(), each).build());
        CaptureOptions.Builder shared = CaptureOptions.builder();
        options.forEach((name, value) -> {
            if (!name.equals("outputs")) shared.option((String) name, value);
        });
        return client.storeOutputs(shared.build(), outputs);
    }

    private String link(ScreenCapture client) {
        if (asked.get("expires_in") instanceof Number lifetime) return client.link(captureOptions(), seconds(lifetime));
        return client.link(captureOptions());
    }

    private Object verify(ScreenCapture client) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        ((Map<?, ?>) asked.get("headers")).forEach((name, value) -> headers.put((String) name, (String) value));
        return client.verifyWebhook(headers::get, ((String) asked.get("body")).getBytes(StandardCharsets.UTF_8));
    }

    private List<?> first(Listing<?> listing) {
        return listing.stream().limit(asked.get("limit") instanceof Long limit ? limit : Long.MAX_VALUE).toList();
    }

    private long number() {
        return (Long) asked.get("id");
    }

    private static Duration seconds(Number seconds) {
        return Duration.ofNanos((long) (seconds.doubleValue() * 1e9));
    }

    private static Map<String, Object> captured(Capture capture) throws NoSuchAlgorithmException {
        Map<String, Object> described = describe(capture.info());
        String type = capture.info().mimeType();
        described.put("size", (long) capture.content().length);
        described.put("sha256", HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(capture.content())));
        if (type.startsWith("text/") || type.startsWith("application/json")) described.put("text", capture.text());
        return described;
    }

    private static Map<String, Object> describe(CaptureInfo info) {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("mime_type", info.mimeType());
        described.put("from_cache", info.fromCache());
        described.put("final_url", info.finalUrl().orElse(null));
        described.put("warnings", info.warnings().orElse(null));
        described.put("problems", info.problems());
        described.put("quality", info.quality().orElse(null));
        described.put("request_id", info.requestId());
        return described;
    }

    private static Map<String, Object> describe(Exception error) {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("kind", kind(error));
        described.put("message", String.valueOf(error.getMessage()));
        described.put("class", error.getClass().getSimpleName());
        if (!(error instanceof ApiException failed)) return described;
        described.put("code", failed.code());
        described.put("status", failed.status());
        described.put("retryable", failed.retryable());
        described.put("request_id", failed.requestId().matches("[0-9]+") ? (Object) Long.valueOf(failed.requestId()) : failed.requestId());
        described.put("details", failed.details());
        described.put("target", failed.target());
        described.put("docs", failed.docs());
        return described;
    }

    private static String kind(Exception error) {
        if (error instanceof ApiException) return "api";
        if (error instanceof ApiConnectionException) return "connection";
        if (error instanceof ApiTimeoutException) return "timeout";
        if (error instanceof WebhookVerificationException) return "webhook";
        return error instanceof UsageException ? "usage" : "other";
    }
}
