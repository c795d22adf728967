# frozen_string_literal: true

require_relative "errors"

module ScreenCapture
  # Seconds between attempts and between polls: what the service's headers say, else exponential backoff.
  # @api private
  module RetryDelay
    FIRST_RETRY_S = 0.5
    MAX_RETRY_S = 20.0
    FIRST_POLL_S = 0.4
    MAX_POLL_S = 5.0

    module_function

    # +Retry-After+ also comes with a conflict that ends: a request with the same +Idempotency-Key+ is in progress.
    def retry?(error) = error.retryable? || !retry_after(error).nil?

    # +Retry-After+, else exponential backoff with full jitter.
    def before_attempt(error, attempt)
      retry_after(error) || (rand * [MAX_RETRY_S, FIRST_RETRY_S * 2**(attempt + 1)].min)
    end

    # When a request of the rate limit is all that is left, waits until more are available, so that polling doesn't keep the account from
    # capturing.
    def before_poll(headers, attempt)
      backoff = [MAX_POLL_S, FIRST_POLL_S * 1.5**attempt].min
      return backoff if headers.fetch("x-ratelimit-remaining", "2").to_i > 1

      [backoff, headers["x-ratelimit-reset"].to_f - Time.now.to_f].max
    end

    def retry_after(error)
      error.retry_after if error.is_a?(ApiError)
    end
  end
end
