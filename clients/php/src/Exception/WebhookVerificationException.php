<?php

declare(strict_types=1);

namespace ScreenCapture\Exception;

/** A webhook whose signature doesn't match, or that is too old. */
final class WebhookVerificationException extends ScreenCaptureException
{
}
