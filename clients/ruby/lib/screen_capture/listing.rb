# frozen_string_literal: true

require "date"

module ScreenCapture
  # Enumerators over the captures of the account, its asynchronous captures, and its days.
  # @api private
  module Listing
    CAPTURES_PER_PAGE = 100
    MAX_SPAN_DAYS = 90 # of a request for statistics

    module_function

    # Captures, newest first, page by page. Captures that are made meanwhile move later pages, but none is listed twice.
    def captures(transport, filters, call)
      Enumerator.new do |items|
        oldest_id = Float::INFINITY # ids increase with time
        (filters[:page] || 1).step do |number|
          query = {per_page: CAPTURES_PER_PAGE, **filters, page: number}
          page = transport.json("GET", "/api/v1/usage", call, query: query)
          page[:data].each do |log|
            next unless log[:id] < oldest_id

            oldest_id = log[:id]
            items << log
          end
          break if number >= page[:last_page]
        end
      end
    end

    # The items of a list whose parts continue at +next_before+. A part can be empty although more follow.
    def older(transport, path, filters, call)
      Enumerator.new do |items|
        before = filters[:before]
        loop do
          query = {limit: CAPTURES_PER_PAGE, **filters, before: before}
          part = transport.json("GET", path, call, query: query)
          part[:data].each { |item| items << item }
          before = part[:next_before]
          break if before.nil?
        end
      end
    end

    # Days, newest first. A range can be longer than the 90 days that one request covers.
    def days(transport, filters, call)
      Enumerator.new do |items|
        last = filters[:to] ? Date.parse(filters[:to].to_s) : Time.now.utc.to_date
        first = filters[:from] ? Date.parse(filters[:from].to_s) : last - (filters[:days] || 7) + 1
        while last >= first
          since = [first, last - MAX_SPAN_DAYS + 1].max
          query = {**filters.except(:from, :to, :days), from: since.iso8601, to: last.iso8601}
          transport.json("GET", "/api/v1/usage/stats", call, query: query)[:series].each { |day| items << day }
          last = since - 1
        end
      end
    end
  end
end
