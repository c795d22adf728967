import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import screencapture.BreakdownFilter;
import screencapture.Bulk;
import screencapture.CaptureOptions;
import screencapture.CaptureOutput;
import screencapture.ExportFilter;
import screencapture.ExportRequest;
import screencapture.Invoice;
import screencapture.KeyChanges;
import screencapture.NewKey;
import screencapture.NewWebhookReceiver;
import screencapture.Period;
import screencapture.ScreenCapture;
import screencapture.SearchFilter;
import screencapture.StatisticsFilter;
import screencapture.WebhookReceiverChanges;
import screencapture.WebhookReplayRequest;
import screencapture.WebhookTestRequest;

/** Calls every method of the client once, for a test that compares what it requests with the routes of the service. */
public final class CallEveryMethod {
    private CallEveryMethod() {}

    public static void main(String[] arguments) throws Exception {
        ScreenCapture client = ScreenCapture.create();
        CaptureOptions page = CaptureOptions.of("https://example.com");
        Path file = Files.createTempFile("call-every-method", ".png");

        client.capture(page);
        client.captureToFile(page, file);
        Files.delete(file);
        client.store(page);
        client.storeOutputs(page, List.of(CaptureOutput.builder().name("a").build(), CaptureOutput.builder().name("b").build()));
        client.validate(page);
        client.enqueue(page);
        client.get(7);
        client.waitFor(7);
        client.deleteResult(7);
        client.cancel(7);
        client.redeliverWebhook(7);
        client.testWebhook(WebhookTestRequest.builder().webhookUrl("https://you.example").build());
        client.bulk(Bulk.builder().requests(page).build());
        client.captures().iterator().hasNext();
        client.jobs().iterator().hasNext();
        client.search(SearchFilter.builder().build()).iterator().hasNext();
        client.usage().iterator().hasNext();
        client.statistics(StatisticsFilter.builder().build());
        client.breakdown(BreakdownFilter.builder().build());
        client.details(7);
        client.thumbnail(7);
        client.deleteCapture(7);
        client.report(7);
        client.exportCaptures(ExportFilter.builder().build());
        client.startExport(ExportRequest.builder().build());
        client.getExport(7);
        client.account();
        client.settings();
        client.invoices();
        client.invoicePdf(new Invoice(new Period("7", "8"), null, null, null, null, null, null, null, null, null, null));
        client.keys().list();
        client.keys().create(NewKey.builder().label("A").build());
        client.keys().get(7);
        client.keys().change(7, KeyChanges.builder().label("B").build());
        client.keys().rotate(7);
        client.keys().endPreviousTexts(7);
        client.keys().revoke(7);
        client.receivers().list();
        client.receivers().create(NewWebhookReceiver.builder().name("A").url("https://you.example").build());
        client.receivers().get("7");
        client.receivers().change("7", WebhookReceiverChanges.builder().name("B").build());
        client.receivers().secret("7");
        client.receivers().rotateSecret("7");
        client.receivers().pause("7");
        client.receivers().resume("7");
        client.receivers().deliveries("7").iterator().hasNext();
        client.receivers().test("7");
        client.receivers().replay("7", WebhookReplayRequest.builder().since("2026-01-01").build());
        client.receivers().delete("7");
    }
}
