<?php

// Loads the client without Composer, for programs of this folder.

declare(strict_types=1);

error_reporting(E_ALL);
set_error_handler(static fn (int $level, string $message, string $file, int $line): never => throw new ErrorException(
    $message,
    0,
    $level,
    $file,
    $line,
));
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'ScreenCapture\\')) {
        require __DIR__ . '/../src/' . str_replace('\\', '/', substr($class, strlen('ScreenCapture\\'))) . '.php';
    }
});
