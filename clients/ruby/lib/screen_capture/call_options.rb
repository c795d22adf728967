# frozen_string_literal: true

require_relative "errors"

module ScreenCapture
  # What the caller says about one call.
  # @api private
  class CallOptions
    NAMES = %i[timeout retries idempotency_key].freeze
    DEFAULT_TIMEOUT_S = 200 # longer than the service takes for a capture: 90 seconds, and a retry
    DEFAULT_RETRIES = 2

    attr_reader :timeout, :retries, :idempotency_key

    # The other keyword arguments of a method, and those of the call.
    def self.split(keywords, timeout: DEFAULT_TIMEOUT_S)
      [keywords.except(*NAMES), new(default_timeout: timeout, **keywords.slice(*NAMES))]
    end

    # The options of a capture, and those of the call. Keyword arguments take precedence over the address or the hash before them.
    def self.split_capture(options, keywords)
      if options.is_a?(String) && keywords.key?(:url)
        raise UsageError, "The address is given twice: as the first argument, and as 'url'."
      end

      others, call = split(keywords)
      given = options.is_a?(String) ? {url: options} : options.to_h.transform_keys(&:to_sym)
      [given.merge(others), call]
    end

    def initialize(timeout: nil, retries: nil, idempotency_key: nil, default_timeout: DEFAULT_TIMEOUT_S)
      @timeout = timeout || default_timeout
      @retries = retries || DEFAULT_RETRIES
      @idempotency_key = idempotency_key
      return if idempotency_key.nil? || idempotency_key.match?(/\A[!-~]+\z/)

      raise UsageError, "'idempotency_key' can't contain spaces, control characters, or characters beyond ASCII."
    end
  end
end
