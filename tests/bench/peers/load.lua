-- wrk asks for the address in its first argument. In place of @ comes a number that grows with each request.
local LAST = 899999
local before, after
local number = 0

function init(args)
  local whole = wrk.format("GET", args[1])
  before, after = whole:match("^(.-)@(.*)$")
  before = before or whole
  number = tonumber(args[2]) or 0
end

function request()
  if not after then return before end
  number = number < LAST and number + 1 or 100000
  return before .. number .. after
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"bytes":%d,"p50":%d,"p99":%d,"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}}\n',
    summary.requests, summary.duration, summary.bytes, latency:percentile(50), latency:percentile(99),
    errors.connect, errors.read, errors.write, errors.status, errors.timeout
  ))
end
