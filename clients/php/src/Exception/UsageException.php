<?php

declare(strict_types=1);

namespace ScreenCapture\Exception;

/** A call that the client can't make: without a key, with an address that isn't one, or with a file that can't be written. */
final class UsageException extends ScreenCaptureException
{
}
