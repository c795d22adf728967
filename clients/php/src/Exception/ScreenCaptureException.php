<?php

declare(strict_types=1);

namespace ScreenCapture\Exception;

/** Any failure of the client. */
class ScreenCaptureException extends \RuntimeException
{
    /** @param bool $retryable True if the same request can succeed later. */
    public function __construct(string $message, public readonly bool $retryable = false, ?\Throwable $previous = null)
    {
        parent::__construct($message, 0, $previous);
    }
}
