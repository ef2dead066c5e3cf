-- Sends the requests of a file in turn, and prints what happened as one line of JSON.
-- Arguments: the file (requests with `separator` between them), the separator, the placeholder.

local parts, turn, sent, run = {}, 0, 0, ''

local function split(text, separator)
  local found, from = {}, 1
  while true do
    local first, last = text:find(separator, from, true)
    found[#found + 1] = text:sub(from, first and first - 1 or #text)
    if not first then return found end
    from = last + 1
  end
end

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  for _, wire in ipairs(split(file:read('*a'), args[2])) do
    parts[#parts + 1] = split(wire, args[3])
  end
  file:close()
  -- Names are as long as the placeholder: the run's own digits, then the number of the request.
  run = args[4]
end

function request()
  turn = turn % #parts + 1
  sent = sent + 1
  local wire = parts[turn]
  if #wire == 1 then return wire[1] end
  return table.concat(wire, run .. string.format('%010d', sent))
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format(
    '\n{"count":%d,"microseconds":%d,"median":%.3f,"p99":%.3f,"failed":%d}\n',
    summary.requests, summary.duration, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, failed))
end
