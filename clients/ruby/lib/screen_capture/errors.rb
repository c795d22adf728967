# frozen_string_literal: true

module ScreenCapture
  # Any failure of the client.
  class Error < StandardError
    # @param retryable [Boolean]
    def initialize(message, retryable: false)
      super(message)
      @retryable = retryable
    end

    # @return [Boolean] true if the same request can succeed later
    def retryable? = @retryable
  end

  # A call that the client can't make: without a key, with an address that isn't one, or with a file that can't be written.
  class UsageError < Error
  end

  # The service couldn't be reached, or its response was cut off.
  class ConnectionError < Error
  end

  # The call took longer than its +timeout+.
  class TimeoutError < Error
  end

  # A webhook whose signature doesn't match, or that is too old.
  class WebhookVerificationError < Error
  end

  # The service answered with an error. The message says what failed, why, and how to fix it. Each code has a class below this one.
  class ApiError < Error
    # @return [String] such as +"VALIDATION_ERROR"+
    attr_reader :code
    # @return [Integer, nil] HTTP status code; nil for the error of an asynchronous capture
    attr_reader :status
    # @return [Integer, String, nil]
    attr_reader :request_id
    # @return [Hash{Symbol => Object}] messages by option, or figures that explain the error
    attr_reader :details
    # @return [Hash{Symbol => Object}, nil] how the page responded, if it was reached or tried
    attr_reader :target
    # @return [Array<Hash{Symbol => Object}>] what was wrong with the page, for a capture that broke a rule
    attr_reader :problems
    # @return [String, nil] address of the documentation of this error
    attr_reader :docs
    # @return [Numeric, nil] seconds to wait before the next attempt, if the service says so
    attr_reader :retry_after

    # @api private
    # @return [ApiError] the error that a body of the service describes; one of this class for a code that this version doesn't know
    def self.from(body, status: nil, retry_after: nil)
      ERROR_CLASSES.fetch(body[:code], ApiError).new(body, status: status, retry_after: retry_after)
    end

    # @api private
    def initialize(body, status: nil, retry_after: nil)
      super(body[:error], retryable: body.fetch(:retryable, false))
      @code = body[:code]
      @status = status
      @request_id = body[:request_id]
      @details = body[:details] || {}
      @target = body[:target]
      @problems = body[:problems] || []
      @docs = body[:docs]
      @retry_after = retry_after || (retryable? ? @target&.[](:retry_after) : nil)
    end
  end
end
