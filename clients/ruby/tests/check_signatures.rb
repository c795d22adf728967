# frozen_string_literal: true

# Checks the signatures: they are valid, and every public method of the client has one.

require "rbs"
require "rbs/cli"

require_relative "../lib/screen_capture_client"

signatures = Pathname(__dir__).parent.join("sig")
RBS::CLI.new(stdout: $stdout, stderr: $stderr).run(["-r", "pathname", "-I", signatures.to_s, "validate", "--silent"])
loader = RBS::EnvironmentLoader.new
loader.add(library: "pathname", version: nil)
loader.add(path: signatures)
environment = RBS::Environment.from_loader(loader).resolve_type_names
builder = RBS::DefinitionBuilder.new(env: environment)
[
  ScreenCapture::Client, ScreenCapture::Keys, ScreenCapture::Receivers, ScreenCapture::Capture, ScreenCapture::CaptureInfo,
  *ScreenCapture::ERROR_CLASSES.values, ScreenCapture::ApiError
].each do |type|
  name = RBS::TypeName.new(name: type.name.split("::").last.to_sym, namespace: RBS::Namespace.parse("::ScreenCapture"))
  signed = builder.build_instance(name).methods.keys
  missing = type.public_instance_methods(false) - signed - [:inspect]
  abort "#{type} has no signature of #{missing.join(", ")}." unless missing.empty?
end
puts "OK"
