module screencapture.internal/client

go 1.19
