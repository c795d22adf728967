<?php

declare(strict_types=1);

namespace ScreenCapture;

/**
 * What the headers of a capture say.
 *
 * @phpstan-import-type ProblemCode from Types
 */
class CaptureInfo
{
    /** Such as `image/png`. */
    public readonly string $mimeType;

    public readonly int $requestId;

    /** Duration of the request in milliseconds. */
    public readonly int $responseTimeMs;

    /** True if the result came from the cache. */
    public readonly bool $fromCache;

    /** URL of the page after redirects. Null for HTML and Markdown. */
    public readonly ?string $finalUrl;

    /** How the result differs from what you requested. */
    public readonly ?string $warnings;

    /** @var list<ProblemCode> Codes of what looks wrong in the result, the worst first. `details($requestId)` says more. */
    public readonly array $problems;

    /** 100 minus what the problems take from it. Null without problems, unless the request asks for it. */
    public readonly ?int $quality;

    /**
     * @internal
     *
     * @param array<string, string> $headers All headers of the response by their names in lower case, such as `x-image-width` with
     * `metadata_image_size`.
     */
    public function __construct(public readonly array $headers)
    {
        $this->mimeType = $headers['content-type'] ?? '';
        $this->requestId = (int) ($headers['x-request-id'] ?? 0);
        $this->responseTimeMs = (int) ($headers['x-response-time'] ?? 0);
        $this->fromCache = in_array($headers['x-cache'] ?? '', ['HIT', 'STALE'], true);
        $this->finalUrl = $headers['x-final-url'] ?? null;
        $this->warnings = isset($headers['x-warnings']) ? rawurldecode($headers['x-warnings']) : null;
        /** @var list<ProblemCode> $problems */
        $problems = isset($headers['x-problems']) ? array_map(trim(...), explode(',', $headers['x-problems'])) : [];
        $this->problems = $problems;
        $this->quality = isset($headers['x-quality']) ? (int) $headers['x-quality'] : null;
    }
}
