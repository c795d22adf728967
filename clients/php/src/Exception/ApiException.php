<?php

declare(strict_types=1);

namespace ScreenCapture\Exception;

use ScreenCapture\Types;

/**
 * The service answered with an error. The message says what failed, why, and how to fix it.
 *
 * @phpstan-import-type ErrorBody from Types
 * @phpstan-import-type ErrorCode from Types
 * @phpstan-import-type Problem from Types
 * @phpstan-import-type Target from Types
 */
class ApiException extends ScreenCaptureException
{
    /** @var ErrorCode|string Such as `VALIDATION_ERROR`. A newer service can have codes that this version doesn't know. */
    public readonly string $errorCode;

    public readonly int|string|null $requestId;

    /** @var array<string, mixed> Messages by option, or figures that explain the error. */
    public readonly array $details;

    /** @var Target|null How the page responded, if it was reached or tried. */
    public readonly ?array $target;

    /** @var list<Problem> What was wrong with the page, for a capture that broke a rule. */
    public readonly array $problems;

    /** Address of the documentation of this error. */
    public readonly ?string $docs;

    /** Seconds to wait before the next attempt, if the service says so. */
    public readonly ?float $retryAfter;

    /**
     * @internal
     *
     * @param ErrorBody $body
     * @param int|null $status HTTP status code. Null for the error of an asynchronous capture.
     */
    final public function __construct(array $body, public readonly ?int $status = null, ?float $retryAfter = null)
    {
        parent::__construct($body['error'], $body['retryable'] ?? false);
        $this->errorCode = $body['code'];
        $this->requestId = $body['request_id'] ?? null;
        $this->details = $body['details'] ?? [];
        $this->target = $body['target'] ?? null;
        $this->problems = $body['problems'] ?? [];
        $this->docs = $body['docs'] ?? null;
        $pageAsks = $this->retryable ? $this->target['retry_after'] ?? null : null;
        $this->retryAfter = $retryAfter ?? $pageAsks;
    }
}
