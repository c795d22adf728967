<?php

declare(strict_types=1);

namespace ScreenCapture\Exception;

/** The service couldn't be reached, or its response was cut off. */
final class ConnectionException extends ScreenCaptureException
{
    /** @internal The error of a request to `$url` that got no response. */
    public static function of(string $url, string $reason): self
    {
        $service = implode('/', array_slice(explode('/', $url, 4), 0, 3));

        return new self("Can't reach $service. Is the service running?", true, new \RuntimeException($reason));
    }
}
