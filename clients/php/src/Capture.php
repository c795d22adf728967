<?php

declare(strict_types=1);

namespace ScreenCapture;

use ScreenCapture\Exception\UsageException;

/** A capture with its bytes. As a string, it is its content. */
final class Capture extends CaptureInfo implements \Stringable
{
    /**
     * @internal
     *
     * @param array<string, string> $headers
     * @param string $content The bytes of the result. For `format` html, markdown, text, and json, this is text in UTF-8.
     */
    public function __construct(array $headers, public readonly string $content)
    {
        parent::__construct($headers);
    }

    /** Writes the bytes to a file. */
    public function save(string $path): void
    {
        if (@file_put_contents($path, $this->content) !== strlen($this->content)) {
            throw new UsageException("Can't write $path.");
        }
    }

    public function __toString(): string
    {
        return $this->content;
    }
}
