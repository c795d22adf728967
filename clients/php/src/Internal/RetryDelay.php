<?php

declare(strict_types=1);

namespace ScreenCapture\Internal;

use ScreenCapture\Exception\ApiException;
use ScreenCapture\Exception\ScreenCaptureException;

/**
 * Seconds between attempts and between polls: what the service's headers say, else exponential backoff.
 *
 * @internal
 */
final class RetryDelay
{
    private const FIRST_RETRY_S = 0.5;
    private const MAX_RETRY_S = 20.0;
    private const FIRST_POLL_S = 0.4;
    private const MAX_POLL_S = 5.0;

    /** `Retry-After` also comes with a conflict that ends: a request with the same `Idempotency-Key` is in progress. */
    public static function canRetry(ScreenCaptureException $error): bool
    {
        return $error->retryable || ($error instanceof ApiException && $error->retryAfter !== null);
    }

    /** `Retry-After`, else exponential backoff with full jitter. */
    public static function beforeAttempt(ScreenCaptureException $error, int $attempt): float
    {
        if ($error instanceof ApiException && $error->retryAfter !== null) {
            return $error->retryAfter;
        }
        $longest = min(self::MAX_RETRY_S, self::FIRST_RETRY_S * 2 ** ($attempt + 1));

        return $longest * random_int(0, 1_000_000) / 1_000_000;
    }

    /**
     * When a request of the rate limit is all that is left, waits until more are available, so that polling doesn't keep the account
     * from capturing.
     *
     * @param array<string, string> $headers
     */
    public static function beforePoll(array $headers, int $attempt): float
    {
        $backoff = min(self::MAX_POLL_S, self::FIRST_POLL_S * 1.5 ** $attempt);
        if ((int) ($headers['x-ratelimit-remaining'] ?? 2) > 1) {
            return $backoff;
        }

        return max($backoff, (float) ($headers['x-ratelimit-reset'] ?? 0) - microtime(true));
    }
}
