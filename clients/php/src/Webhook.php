<?php

declare(strict_types=1);

namespace ScreenCapture;

use ScreenCapture\Exception\WebhookVerificationException;

/**
 * Verifies webhooks: the signature of Standard Webhooks (https://www.standardwebhooks.com) over id, time, and body.
 *
 * @phpstan-import-type WebhookEvent from Types
 */
final class Webhook
{
    /** As Standard Webhooks recommends. */
    private const TOLERANCE_S = 300;

    /**
     * Returns the event of a webhook whose signature is valid. Throws `WebhookVerificationException` otherwise.
     *
     * @param array<string, string|list<string>> $headers Those of the request, as `getallheaders()` and PSR-7 have them. `$_SERVER` works,
     * too.
     * @param string $body The raw body of the request: `file_get_contents('php://input')`.
     * @param string $signingSecret The secret of the API key or of the receiver: `whsec_…`.
     * @param int $tolerance How many seconds the time of the webhook may be from `$now`, which is in seconds since 1970.
     *
     * @return WebhookEvent
     */
    public static function verify(
        array $headers,
        string $body,
        #[\SensitiveParameter] string $signingSecret,
        int $tolerance = self::TOLERANCE_S,
        ?int $now = null,
    ): array {
        $id = self::header($headers, 'webhook-id');
        $timestamp = self::header($headers, 'webhook-timestamp');
        if (!ctype_digit($timestamp) || abs(($now ?? time()) - (int) $timestamp) > $tolerance) {
            throw new WebhookVerificationException('The time of the webhook is missing or not close to now.');
        }
        $digest = hash_hmac('sha256', "$id.$timestamp.$body", self::decodeSecret($signingSecret), true);
        $expected = 'v1,' . base64_encode($digest);
        foreach (explode(' ', self::header($headers, 'webhook-signature')) as $signature) {
            if (hash_equals($expected, $signature)) {
                return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
            }
        }

        throw new WebhookVerificationException(
            "The signature of the webhook doesn't match. Pass the raw body and the secret of its API key.",
        );
    }

    private static function decodeSecret(#[\SensitiveParameter] string $secret): string
    {
        $text = str_starts_with($secret, 'whsec_') ? substr($secret, strlen('whsec_')) : $secret;
        $bytes = base64_decode($text, true);
        if ($bytes === false || $bytes === '') {
            throw new WebhookVerificationException("'signingSecret' isn't one: it looks like whsec_….");
        }

        return $bytes;
    }

    /** @param array<string, string|list<string>> $headers */
    private static function header(array $headers, string $name): string
    {
        foreach ($headers as $each => $value) {
            $given = str_replace('_', '-', strtolower((string) $each));
            if ($given === $name || $given === "http-$name") {
                return is_array($value) ? $value[0] ?? '' : $value;
            }
        }

        return '';
    }
}
