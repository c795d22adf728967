<?php

declare(strict_types=1);

namespace ScreenCapture\Exception;

/** The call took longer than its `timeout`. */
final class TimeoutException extends ScreenCaptureException
{
}
