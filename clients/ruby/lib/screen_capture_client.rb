# frozen_string_literal: true

# Client of the Screen Capture API: {ScreenCapture::Client}.
module ScreenCapture
end

require_relative "screen_capture/version"
require_relative "screen_capture/errors"
require_relative "screen_capture/error_classes"
require_relative "screen_capture/client"
