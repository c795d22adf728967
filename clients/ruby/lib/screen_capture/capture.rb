# frozen_string_literal: true

require "uri"

require_relative "errors"

module ScreenCapture
  # What the headers of a capture say.
  class CaptureInfo
    # @return [Hash{String => String}] all headers of the response by their names in lower case, such as +x-image-width+ with
    #   +metadata_image_size+
    attr_reader :headers

    # @api private
    def initialize(headers)
      @headers = headers
    end

    # @return [String] such as +image/png+
    def mime_type = headers.fetch("content-type", "")

    # @return [Integer]
    def request_id = headers["x-request-id"].to_i

    # @return [Integer] duration of the request in milliseconds
    def response_time_ms = headers["x-response-time"].to_i

    # @return [Boolean] true if the result came from the cache
    def from_cache? = %w[HIT STALE].include?(headers["x-cache"])

    # @return [String, nil] URL of the page after redirects; nil for HTML and Markdown
    def final_url = headers["x-final-url"]

    # @return [String, nil] how the result differs from what you requested
    def warnings
      text = headers["x-warnings"]
      URI.decode_www_form_component(text) if text
    end

    # @return [Array<String>] codes of what looks wrong in the result, the worst first; +details(request_id)+ says more
    def problems = headers.fetch("x-problems", "").split(",").map(&:strip)

    # @return [Integer, nil] 100 minus what the problems take from it; nil without problems, unless the request asks for it
    def quality = headers["x-quality"]&.to_i

    # @return [String]
    def inspect = "#<#{self.class} #{mime_type} #{request_id}>"
  end

  # A capture with its bytes.
  class Capture < CaptureInfo
    # @return [String] the bytes
    attr_reader :content

    # @api private
    def initialize(headers, content)
      super(headers)
      @content = content
    end

    # @return [String] the result as text, for +format+ html, markdown, text, and json
    def text = content.dup.force_encoding(Encoding::UTF_8)

    # Writes the bytes to a file.
    # @param path [String, Pathname]
    def save(path)
      File.binwrite(path, content)
    rescue SystemCallError => error
      raise UsageError, "Can't write #{path}: #{error.message}."
    end
  end
end
