# frozen_string_literal: true

Gem::Specification.new do |spec|
  spec.name = "screen_capture_client"
  spec.version = "1.0.0"
  spec.summary = "Typed client of the Screen Capture API"
  spec.authors = ["The Screen Capture API"]
  spec.license = "MIT"
  spec.required_ruby_version = ">= 3.0"
  spec.files = Dir["lib/**/*.rb", "sig/**/*.rbs", "README.md", "LICENSE"]
end
