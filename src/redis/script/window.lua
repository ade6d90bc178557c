-- The window: what was counted, and whether it is a case for opening.
-- The slice of the present moment stands apart from the older ones, beside the sums over the older ones within both spans:
-- most reports then touch neither the older slices nor the reporters, which stay unparsed text.
-- Sums are those of another moment, and made anew, unless both spans still begin at the slices named beside them.
local MOST_SLICES = 256
local function index_of(at, width) return floor(at / width) end

local WINDOW_HEAD = '^1 %d+ (%d+) (%d+) (%d+) (%d+) (%d+)|(%d+) (%d+) (%d+) (%d+)|(%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+)$'
local function end_of_part(text, from)
  return string.find(text, '|', from, true) or #text + 1
end
local empty_window = {width = 0, run = 0, run_first = 0, run_last = 0, share_since = 0, older = '', reporters = '',
  index = -1, calls = 0, failures = 0, flush = 0}
local w = empty_window
local window_changed = false
if stored[2] then
  local head = end_of_part(stored[2], end_of_part(stored[2], end_of_part(stored[2], 1) + 1) + 1)
  local bar = end_of_part(stored[2], head + 1)
  local n = integers(string.sub(stored[2], 1, head - 1), WINDOW_HEAD)
  if not n or n[1] == 0 or bar > #stored[2] then return fault('the text under ' .. KEYS[2] .. ' is no window') end
  local older, reporters = string.sub(stored[2], head + 1, bar - 1), string.sub(stored[2], bar + 1)
  w = {width = n[1], run = n[2], run_first = n[3], run_last = n[4], share_since = n[5],
    index = n[6], calls = n[7], failures = n[8], flush = n[9],
    first_long = n[10], long_calls = n[11], long_failures = n[12], long_flush = n[13],
    first_short = n[14], short_calls = n[15], short_failures = n[16], older = older, reporters = reporters}
end

local function window_text()
  return format('1 %.0f %.0f %.0f %.0f %.0f %.0f|%.0f %.0f %.0f %.0f|%.0f %.0f %.0f %.0f %.0f %.0f %.0f|%s|%s', now, w.width,
    w.run, w.run_first, w.run_last, w.share_since, w.index, w.calls, w.failures, w.flush, w.first_long, w.long_calls,
    w.long_failures, w.long_flush, w.first_short, w.short_calls, w.short_failures, w.older, w.reporters)
end

local function older_slices()
  local slices = {}
  for index, calls, failures, flush in gmatch(w.older, '(%d+) (%d+) (%d+) (%d+);') do
    slices[#slices + 1] = {tonumber(index), tonumber(calls), tonumber(failures), tonumber(flush)}
  end
  return slices
end

local function set_older(slices)
  local texts = {}
  for i = 1, #slices do texts[i] = format('%.0f %.0f %.0f %.0f;', unpack(slices[i])) end
  w.older, w.first_long = table.concat(texts), 0  -- the sums are to be made anew
end

-- Sums over the older slices of both spans, as they end now.
local function sum_older()
  local first_long, first_short = index_of(now - WINDOW, w.width), index_of(now - SHORT_WINDOW, w.width)
  if w.first_long == first_long and w.first_short == first_short then return end
  w.first_long, w.long_calls, w.long_failures, w.long_flush = first_long, 0, 0, 0
  w.first_short, w.short_calls, w.short_failures = first_short, 0, 0
  for index, calls, failures, flush in gmatch(w.older, '(%d+) (%d+) (%d+) (%d+);') do
    index = tonumber(index)
    if index >= first_long then
      w.long_calls, w.long_failures = w.long_calls + calls, w.long_failures + failures
      w.long_flush = max(w.long_flush, tonumber(flush))
    end
    if index >= first_short then
      w.short_calls, w.short_failures = w.short_calls + calls, w.short_failures + failures
    end
  end
end

local function count(calls, failures, flush)
  if w == empty_window then
    w = {width = 0, run = 0, run_first = 0, run_last = 0, share_since = 0, index = -1, older = '', reporters = '',
      first_long = 0, long_calls = 0, long_failures = 0, long_flush = 0, first_short = 0, short_calls = 0,
      short_failures = 0}
  end
  window_changed = true
  local width = w.width
  local present = width > 0 and index_of(now, width) or 0
  local first = width > 0 and index_of(now - WINDOW, width) or 0
  if w.index ~= present or tonumber(match(w.older, '^%d+') or MOST) < first then
    local live = {}
    if width > 0 then
      for _, slice in ipairs(older_slices()) do
        if slice[1] >= first then live[#live + 1] = slice end
      end
      if w.index ~= present then
        if w.index >= first then live[#live + 1] = {w.index, w.calls, w.failures, w.flush} end
        w.index = -1
      end
    end
    if #live == 0 and w.index < 0 then
      w.width = max(1000, floor(SHORT_WINDOW / 10), floor(WINDOW / 120))
      present = index_of(now, w.width)
    end
    if w.index < 0 then w.index, w.calls, w.failures, w.flush = present, 0, 0, 0 end
    if #live >= MOST_SLICES then table.remove(live, 1) end
    set_older(live)
  end
  w.calls, w.failures, w.flush = w.calls + calls, w.failures + failures, max(w.flush, flush)
end

local function end_run() w.run, w.run_first, w.run_last = 0, 0, 0 end

local function lengthen_run()
  if w.run == 0 or now - w.run_last > WINDOW then w.run, w.run_first = 0, now end
  w.run, w.run_last = w.run + 1, now
end

local function reporters()
  local list = {}
  for host, last in gmatch(w.reporters, '(%S*) (%d+);') do list[#list + 1] = {host, tonumber(last)} end
  return list
end

local function set_reporters(list)
  local texts = {}
  for i = 1, min(#list, 16) do texts[i] = format('%s %.0f;', list[i][1], list[i][2]) end
  w.reporters = table.concat(texts)
end

local function remember_reporter(host)
  local list = {{host, now}}
  for _, reporter in ipairs(reporters()) do
    if reporter[1] ~= host then list[#list + 1] = reporter end
  end
  set_reporters(list)
end

local function enough_reporters()
  if MIN_REPORTERS <= 1 then return true end
  local recent = 0
  for _, reporter in ipairs(reporters()) do
    if reporter[2] >= now - WINDOW then recent = recent + 1 end
  end
  return recent >= MIN_REPORTERS
end

local function share_reached(calls, failures) return failures >= THRESHOLD and failures * 1000000 >= RATE * calls end

local function share_holds()
  if not enough_reporters() then return false end
  if w.width == 0 then return share_reached(0, 0) end
  sum_older()
  local long, short = w.index >= w.first_long, w.index >= w.first_short
  return share_reached(w.long_calls + (long and w.calls or 0), w.long_failures + (long and w.failures or 0)) or
    share_reached(w.short_calls + (short and w.calls or 0), w.short_failures + (short and w.failures or 0))
end

local function run_holds()
  return w.run >= RUN_THRESHOLD and now - w.run_last <= WINDOW and enough_reporters()
end

local function settling_time()
  if w.width == 0 then return 0 end
  sum_older()
  return 2 * max(w.long_flush, w.index >= w.first_long and w.flush or 0)
end

