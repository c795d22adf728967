<?php

// Loads the client without Composer, for programs of this folder.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'ScreenCapture\\')) {
        require __DIR__ . '/../src/' . str_replace('\\', '/', substr($class, strlen('ScreenCapture\\'))) . '.php';
    }
});
