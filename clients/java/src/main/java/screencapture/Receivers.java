package screencapture;

import java.util.List;
import java.util.Map;

/** The saved receivers of webhooks. The key needs the scopes <code>keys</code> and <code>capture</code>; for deliveries, <code>usage</code>. */
public final class Receivers {
    private static final String PATH = "/api/v1/webhooks/receivers";

    private final Transport transport;
    private final CallSettings settings;

    Receivers(Transport transport, CallSettings settings) {
        this.transport = transport;
        this.settings = settings;
    }

    /** Lists the receivers with their health: saved ones, oldest first, and automatic ones that fail or are paused. */
    public List<WebhookReceiver> list() {
        return transport.list(WebhookReceiver.class, settings, Call.get(PATH));
    }

    /** Saves a receiver. Send its <code>id</code> as <code>webhookReceiver</code>, and verify its webhooks with its secret. */
    public IssuedWebhookReceiver create(NewWebhookReceiver receiver) {
        return transport.json(IssuedWebhookReceiver.class, settings, Call.post(PATH, receiver));
    }

    /** A receiver without its secret. */
    public WebhookReceiver get(String receiverId) {
        return send(Call.get(path(receiverId)));
    }

    /** Changes the name or the URL. */
    public WebhookReceiver change(String receiverId, WebhookReceiverChanges changes) {
        return send(Call.patch(path(receiverId), changes));
    }

    /** Deletes a receiver: captures that name it are refused. */
    public void delete(String receiverId) {
        transport.send(settings, Call.delete(path(receiverId)));
    }

    /** The secret that signs its webhooks. */
    public String secret(String receiverId) {
        Object answer = transport.json(settings, Call.get(path(receiverId) + "/secret"));
        return answer instanceof Map<?, ?> map ? String.valueOf(map.get("signing_secret")) : null;
    }

    /** Gives a receiver a new secret. For a day, both secrets sign. */
    public IssuedWebhookReceiver rotateSecret(String receiverId) {
        return transport.json(IssuedWebhookReceiver.class, settings, Call.post(path(receiverId) + "/rotate"));
    }

    /** Gives a receiver a new secret. For <code>overlap</code> seconds, both secrets sign. */
    public IssuedWebhookReceiver rotateSecret(String receiverId, WebhookSecretRotation rotation) {
        return transport.json(IssuedWebhookReceiver.class, settings, Call.post(path(receiverId) + "/rotate", rotation));
    }

    /** Pauses a receiver: its webhooks are kept for 7 days each. */
    public WebhookReceiver pause(String receiverId) {
        return send(Call.post(path(receiverId) + "/pause"));
    }

    /** Resumes a receiver: what was kept is sent, oldest first. */
    public WebhookReceiver resume(String receiverId) {
        return send(Call.post(path(receiverId) + "/resume"));
    }

    /** The deliveries of the last 30 days, newest first. */
    public Listing<WebhookDelivery> deliveries(String receiverId) {
        return deliveries(receiverId, null);
    }

    /** The deliveries of the last 30 days that match, newest first. */
    public Listing<WebhookDelivery> deliveries(String receiverId, WebhookDeliveryFilter filter) {
        return Listings.older(WebhookDelivery.class, transport, settings, path(receiverId) + "/deliveries", filter);
    }

    /** Sends a test event, and returns what the receiver answered. */
    public WebhookTest test(String receiverId) {
        return transport.json(WebhookTest.class, settings, Call.post(path(receiverId) + "/test"));
    }

    /** Sends the webhooks of a time again, such as those of an outage. */
    public WebhookReplay replay(String receiverId, WebhookReplayRequest time) {
        return transport.json(WebhookReplay.class, settings, Call.post(path(receiverId) + "/replay", time));
    }

    private WebhookReceiver send(Call call) {
        return transport.json(WebhookReceiver.class, settings, call);
    }

    private static String path(String receiverId) {
        return PATH + "/" + Query.encode(receiverId);
    }
}
