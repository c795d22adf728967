<?php

declare(strict_types=1);

namespace ScreenCapture\Internal;

use ScreenCapture\Exception\ApiException;
use ScreenCapture\Exception\ConnectionException;
use ScreenCapture\Exception\ScreenCaptureException;
use ScreenCapture\Types;

/**
 * Creates the exception of a response, or of an asynchronous capture, as an instance of the class of its code.
 *
 * @internal
 *
 * @phpstan-import-type ErrorBody from Types
 */
final class ErrorFrom
{
    /**
     * A code that this version doesn't know becomes an `ApiException`.
     *
     * @param ErrorBody $body
     */
    public static function body(array $body, ?int $status = null, ?float $retryAfter = null): ApiException
    {
        $class = ErrorClasses::BY_CODE[$body['code']] ?? ApiException::class;

        return new $class($body, $status, $retryAfter);
    }

    public static function response(Response $response): ScreenCaptureException
    {
        $body = json_decode($response->content, true);
        $retryAfter = $response->headers['retry-after'] ?? '';
        if (is_array($body) && is_string($body['error'] ?? null) && is_string($body['code'] ?? null)) {
            /** @var ErrorBody $body */
            return self::body($body, $response->status, is_numeric($retryAfter) ? (float) $retryAfter : null);
        }

        return new ConnectionException(
            "Got status $response->status without an error of the service. Check the base URL, and proxies in front of it.",
            $response->status >= 502 && $response->status <= 504,
        );
    }
}
