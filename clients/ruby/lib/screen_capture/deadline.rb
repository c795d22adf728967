# frozen_string_literal: true

require_relative "errors"

module ScreenCapture
  # The time limit of a call with its retries.
  # @api private
  class Deadline
    # @param task [String] what takes the time, for the message, such as +GET /api/v1/account+
    def initialize(task, timeout)
      @task = task
      @timeout = timeout
      @started_at = now
    end

    # The seconds since the start.
    def elapsed = now - @started_at

    # The seconds that are left. Raises if none are.
    def remaining
      seconds = @timeout - elapsed
      seconds.positive? ? seconds : raise(error)
    end

    # Waits, but not beyond the time limit.
    def wait(seconds)
      sleep(seconds.clamp(0, remaining))
    end

    def error = TimeoutError.new("#{@task} took longer than #{format("%g", @timeout)} s. Raise 'timeout'.")

    private

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end
