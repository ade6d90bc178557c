-- geobreaker: one transition of one provider's breaker, made atomically at the store's own time.
-- It is the second implementation of core::transition (src/core/transition.cpp), which is the model: tests drive both with
-- the same histories. Keys, formats, arguments and replies are specified in docs/protocol.md.
-- KEYS 1 open_until (the decision)  2 fails (the window)  3 probe_lock (the token)  4 probe_fails  5 meta (the tally)
-- ARGV 1 event  2 configuration  3 carried decision, or ''  4... the event's own arguments
-- Everything is read and checked before the first write, and the decision is written first.
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]

local format, match, gmatch = string.format, string.match, string.gmatch
local floor, min, max = math.floor, math.min, math.max
local CLOSED, OPEN, HALF_OPEN = 0, 1, 2
local MOST = 9007199254740991
local LONGEST = 366 * 86400 * 1000000  -- microseconds; keeps every sum with a store time far below MOST
local EVENT = ARGV[1]

local function fault(text) return redis.error_reply('GEOBREAKER ' .. text) end
local function is_token(text) return text and (text == '' or (#text == 32 and match(text, '^%x+$'))) end

-- The integers of a text that a pattern splits; nil if it does not match or one is out of range.
local function integers(text, pattern)
  local found = {match(text, pattern)}
  for i = 1, #found do
    local number = tonumber(found[i])
    if not number or number > MOST then return nil end
    found[i] = number
  end
  return found[1] and found
end

local DECISION = '^1 (%d+) (%d+) ([012]) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) ([012]) ([012]) (%d+) (%d+) (%d+) ([01])$'
local function decision_of(text)
  local n = integers(text, DECISION)
  return n and {version = n[1], epoch = n[2], phase = n[3], open_until = n[4], cooldown = n[5], failed_probes = n[6],
    lease_end = n[7], lease = n[8], pause_until = n[9], pause = n[10], pause_reason = n[11], forced = n[12],
    forced_until = n[13], forced_for = n[14], failures_until = n[15], restored = n[16]}
end

local function text_of(d)
  return format('1 %.0f %.0f %d %.0f %.0f %.0f %.0f %.0f %.0f %.0f %d %d %.0f %.0f %.0f %d', d.version, d.epoch, d.phase,
    d.open_until, d.cooldown, d.failed_probes, d.lease_end, d.lease, d.pause_until, d.pause, d.pause_reason, d.forced,
    d.forced_until, d.forced_for, d.failures_until, d.restored)
end

local stored = {}
for i = 1, 5 do
  local text = redis.pcall('GET', KEYS[i])
  if type(text) == 'table' then return text end  -- WRONGTYPE and its kin
  stored[i] = text
end

local d
if stored[1] then
  d = decision_of(stored[1])
  if not d then return fault('the text under ' .. KEYS[1] .. ' is no decision') end
else
  d = {version = 0, epoch = 0, phase = CLOSED, open_until = 0, cooldown = 0, failed_probes = 0, lease_end = 0, lease = 0,
    pause_until = 0, pause = 0, pause_reason = 0, forced = 0, forced_until = 0, forced_for = 0, failures_until = 0,
    restored = 0}
end
local token = ''
if stored[3] then
  token = match(stored[3], '^1 (%x+)$')
  if not token or #token ~= 32 then return fault('the text under ' .. KEYS[3] .. ' is no token') end
end
local neutral_probes, closed_at = 0, 0
if stored[4] then
  local n = integers(stored[4], '^1 (%d+) (%d+)$')
  if not n then return fault('the text under ' .. KEYS[4] .. ' is no record of probes') end
  neutral_probes, closed_at = n[1], n[2]
end
local window_at = 0  -- when the window was last written: nothing in it is younger
if stored[2] then
  window_at = tonumber(match(stored[2], '^1 (%d+) %d+ %d+ %d+ %d+ %d+|') or MOST + 1)
  if window_at > MOST then return fault('the text under ' .. KEYS[2] .. ' is no window') end
end

local carried
if ARGV[3] ~= '' then
  carried = decision_of(ARGV[3])
  if not carried then return fault('argument 3, the carried decision, is malformed') end
  if carried.version <= d.version then carried = nil end
end

-- What acquire would say, without side effect. Forced-open, then pause, then forced-closed, then phase.
-- Answers a refusal (1 breaker open, 2 forced open, 3 paused by rate, 4 paused by quota) and its end; or true: a probe is due.
local function decide()
  if d.forced == 1 and d.forced_until > now then return 2, d.forced_until end
  if d.pause_reason ~= 0 and d.pause_until > now then return d.pause_reason == 2 and 4 or 3, d.pause_until end
  if d.forced == 2 and d.forced_until > now then return nil end
  if d.phase == OPEN then
    if now < d.open_until then return 1, d.open_until end
    return true
  end
  if d.phase == HALF_OPEN then
    if now < d.lease_end then return 1, d.lease_end end
    return true
  end
  return nil
end

local ADMITTED, PROBE_GRANTED, REFUSED, ACCEPTED, LATE, STALE = 0, 1, 2, 3, 4, 5
local ruling, refusal, retry_after, settles_at = ACCEPTED, 1, 0, 0
local changes = {}
local function answer()
  local reply = {format('1 %.0f %d %d %.0f %.0f', now, ruling, refusal, retry_after, settles_at), text_of(d)}
  for i = 1, #changes do reply[i + 2] = changes[i] end
  return reply
end

local future = d.open_until > now + d.cooldown or d.lease_end > now + d.lease or d.pause_until > now + d.pause or
  d.forced_until > now + d.forced_for or closed_at > now or window_at > now
if EVENT == 'acquire' and not carried and not future then  -- the usual answers need no more than this, and write nothing
  if not is_token(ARGV[4]) then return fault('argument 4, the token, is malformed') end
  local refused, until_when = decide()
  if refused == nil then
    ruling = ADMITTED
    return answer()
  elseif refused ~= true and not (refused == 1 and d.phase == HALF_OPEN and token == ARGV[4]) then
    ruling, refusal, retry_after = REFUSED, refused, until_when - now
    return answer()
  end
end

local tally = {0, 0, 0, 0}  -- late, abandoned, stale, restored
if stored[5] then
  tally = integers(stored[5], '^1 (%d+) (%d+) (%d+) (%d+)$')
  if not tally then return fault('the text under ' .. KEYS[5] .. ' is no tally') end
end

local c = integers(ARGV[2], '^1 (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+)$')
if not c then return fault('argument 2, the configuration, is malformed') end
local WINDOW, THRESHOLD, RATE, SHORT_WINDOW, RUN_THRESHOLD, BASE_COOLDOWN, MAX_COOLDOWN, LEASE, MIN_REPORTERS, FLAP_GUARD,
  MAX_PAUSE_RATE, MAX_PAUSE_QUOTA = unpack(c)

-- The event's arguments from `first` on, as integers.
local function arguments(first, last)
  local numbers = {}
  for i = first, last do
    local number = tonumber(match(ARGV[i] or '', '^%d+$') or MOST + 1)
    if number > MOST then return nil end
    numbers[#numbers + 1] = number
  end
  return numbers
end

-- The window ------------------------------------------------------------------------------------------------------------
-- The slice of the present moment stands apart from the older ones, beside the sums over the older ones within both spans:
-- most reports then touch neither the older slices nor the reporters, which stay unparsed text.
-- Sums are those of another moment, and made anew, unless both spans still begin at the slices named beside them.
local MOST_SLICES = 256
local function index_of(at, width) return floor(at / width) end

local WINDOW_TEXT = '^1 %d+ (%d+) (%d+) (%d+) (%d+) (%d+)|(%d+) (%d+) (%d+) (%d+)|(%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+)' ..
  '|[%d ;]*|[%w%._%%%- ;]*$'
local empty_window = {width = 0, run = 0, run_first = 0, run_last = 0, share_since = 0, older = '', reporters = '',
  index = -1, calls = 0, failures = 0, flush = 0}
local w = empty_window
local window_changed = false
if stored[2] then
  local n = integers(stored[2], WINDOW_TEXT)
  if not n or n[1] == 0 then return fault('the text under ' .. KEYS[2] .. ' is no window') end
  local older, reporters = match(stored[2], '|([%d ;]*)|([^|]*)$')
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

-- The steps ---------------------------------------------------------------------------------------------------------------
local CAUSE = {share = 0, run = 1, probe_granted = 2, probe_succeeded = 3, probe_failed = 4, probe_neutral = 5,
  lease_expired = 6, operator_act = 7, restored = 8}

local function after(old) return max(old + 1, now) end
local function written() d.version = after(d.version) end
local function new_epoch() d.epoch = after(d.epoch) end

local function change_phase(to, cause, at)
  if d.phase == to then return end
  changes[#changes + 1] = format('%d %d %d %.0f', d.phase, to, cause, at)
  d.phase = to
end

local function drop_lease() token, d.lease_end, d.lease = '', 0, 0 end

local function clear_counts()
  window_changed = window_changed or w ~= empty_window
  w, d.failures_until = empty_window, 0
end

local function forgive_the_windows_future()
  if w == empty_window or window_at <= now then return end
  window_changed, window_at = true, now
  w.run_first, w.run_last, w.share_since = min(w.run_first, now), min(w.run_last, now), min(w.share_since, now)
  local list = reporters()
  for _, reporter in ipairs(list) do reporter[2] = min(reporter[2], now) end
  set_reporters(list)
  local slices, present = older_slices(), index_of(now, w.width)
  slices[#slices + 1] = {w.index, w.calls, w.failures, w.flush}
  local merged = {present, 0, 0, 0}
  while #slices > 0 and slices[#slices][1] >= present do
    local last = table.remove(slices)
    merged = {present, merged[2] + last[2], merged[3] + last[3], max(merged[4], last[4])}
  end
  if merged[2] > 0 then slices[#slices + 1] = merged end
  w.index, w.calls, w.failures, w.flush = unpack(table.remove(slices))
  set_older(slices)
end

-- A deadline farther ahead than its own length can only come from a clock that stepped back: it is pulled in once.
local function forgive_the_future()
  local pulled = false
  local function pull(deadline, length)
    if d[deadline] <= now + d[length] then return end
    d[deadline], pulled = now + d[length], true
  end
  pull('open_until', 'cooldown')
  pull('lease_end', 'lease')
  pull('pause_until', 'pause')
  pull('forced_until', 'forced_for')
  closed_at = min(closed_at, now)
  forgive_the_windows_future()
  if pulled then written() end
end

local function restore()
  local lost_version, lost_phase = d.version, d.phase
  d, carried = carried, nil
  token, neutral_probes, closed_at = '', 0, 0
  clear_counts()
  d.version = after(max(lost_version, d.version))
  if lost_version ~= 0 then d.epoch = after(d.epoch) end
  d.restored = 1
  if d.phase == HALF_OPEN then  -- the token is lost: nobody else may probe until its lease would have ended
    d.phase, d.open_until, d.cooldown = OPEN, d.lease_end, max(d.cooldown, d.lease)
  end
  d.lease_end, d.lease = 0, 0
  d.cooldown = min(d.cooldown, LONGEST)
  tally[4] = tally[4] + 1
  if lost_phase ~= d.phase then
    changes[#changes + 1] = format('%d %d %d %.0f', lost_phase, d.phase, CAUSE.restored, now)
  end
  forgive_the_future()
end

local function note_expired_lease()
  if d.phase == HALF_OPEN and d.lease_end <= now then change_phase(OPEN, CAUSE.lease_expired, d.lease_end) end
end

local function cooldown(failed_probes)
  local result, k = BASE_COOLDOWN, 0
  while k < failed_probes and result < MAX_COOLDOWN do
    result = result > floor(MAX_COOLDOWN / 2) and MAX_COOLDOWN or result * 2
    k = k + 1
  end
  return min(result, MAX_COOLDOWN)
end

local function open_for(length)
  d.cooldown, d.open_until, d.restored = length, now + length, 0
  if w ~= empty_window then
    window_changed = true
    end_run()
    w.share_since = 0
  end
  new_epoch()
  written()
end

local function one_more(failed_probes) return min(failed_probes + 1, 2147483647) end

local function trip(cause)
  local flapping = FLAP_GUARD > 0 and closed_at ~= 0 and now - closed_at < FLAP_GUARD
  d.failed_probes = flapping and one_more(d.failed_probes) or 0
  neutral_probes = 0
  change_phase(OPEN, cause, now)
  open_for(cooldown(d.failed_probes))
end

local function note_share()
  local since = share_holds() and (w.share_since == 0 and now or w.share_since) or 0
  if since ~= w.share_since then w.share_since, window_changed = since, true end
end

local function evaluate()
  if d.phase ~= CLOSED then return end
  note_share()
  if d.forced == 2 and d.forced_until > now then return end
  local settling, share, run = settling_time(), w.share_since ~= 0, run_holds()
  if share and now - w.share_since >= settling then return trip(CAUSE.share) end
  if run and now - w.run_first >= settling then return trip(CAUSE.run) end
  if share then settles_at = w.share_since + settling end
  if run and (not share or w.run_first + settling < settles_at) then settles_at = w.run_first + settling end
end

local function extend_pause(duration, reason)
  local length = min(duration, reason == 2 and MAX_PAUSE_QUOTA or MAX_PAUSE_RATE)
  if length <= 0 or reason == 0 or now + length <= d.pause_until then return end
  d.pause_until, d.pause, d.pause_reason = now + length, length, reason
  written()
end

local function grant_probe(asker)
  note_expired_lease()
  if token ~= '' and token ~= asker then tally[2] = tally[2] + 1 end
  token, d.lease, d.lease_end = asker, LEASE, now + LEASE
  change_phase(HALF_OPEN, CAUSE.probe_granted, now)
  written()
  ruling = PROBE_GRANTED
end

local function probe_succeeded()
  drop_lease()
  change_phase(CLOSED, CAUSE.probe_succeeded, now)
  d.open_until, d.cooldown, d.restored = 0, 0, 0
  if FLAP_GUARD == 0 then d.failed_probes = 0 end
  neutral_probes, closed_at = 0, now
  clear_counts()
  new_epoch()
  written()
end

local function probe_failed()
  drop_lease()
  d.failed_probes, neutral_probes = one_more(d.failed_probes), 0
  change_phase(OPEN, CAUSE.probe_failed, now)
  open_for(cooldown(d.failed_probes))
end

local function probe_neutral()
  drop_lease()
  change_phase(OPEN, CAUSE.probe_neutral, now)
  neutral_probes = min(neutral_probes + 1, 3)
  if neutral_probes == 3 then d.open_until, d.cooldown = now + 1000000, max(d.cooldown, 1000000) end
  written()
end

local SUCCESS, FAILURE = 0, 1
local function count_outcome(verb, successes, flush, reporter)
  if verb == SUCCESS then successes = successes + 1 end
  if successes > 0 then
    count(successes, 0, flush)
    end_run()
  end
  if verb ~= FAILURE then  -- anything else never adds to the case for opening
    if w.share_since ~= 0 and not share_holds() then w.share_since, window_changed = 0, true end
    return
  end
  count(1, 1, flush)
  lengthen_run()
  remember_reporter(reporter)
  if d.failures_until < now + WINDOW - floor(WINDOW / 4) then
    d.failures_until = now + WINDOW
    written()
  end
  evaluate()
end

local function begin()
  if future then forgive_the_future() end
  if carried and carried.version > d.version then restore() end
end

local events = {}

function events.acquire()
  local asker = ARGV[4]
  if not is_token(asker) then return fault('argument 4, the token, is malformed') end
  begin()
  local refused, until_when = decide()
  if refused == nil then
    ruling = ADMITTED
  elseif refused == true then
    if asker ~= '' then return grant_probe(asker) end
    ruling = REFUSED  -- without a token there is no probe: such an asker only looks
  elseif refused == 1 and d.phase == HALF_OPEN and token == asker then  -- asked again, perhaps after a lost reply
    ruling = PROBE_GRANTED
  else
    ruling, refusal, retry_after = REFUSED, refused, until_when - now
  end
end

function events.report()
  local n, tail = arguments(6, 9), arguments(11, 12)
  local epoch, holder, reporter = tonumber(match(ARGV[4] or '', '^%d+$')), ARGV[5] or '-', ARGV[10] or ' '
  if not n or not tail or n[1] > 2 or tail[2] > 2 or not epoch or not match(reporter, '^[%w%._%%%-]*$') or
    not is_token(holder) then
    return fault('the arguments of report, 4 to 12, are malformed')
  end
  begin()
  extend_pause(tail[1], tail[2])
  local verb, successes, age, flush = unpack(n)
  local of_a_probe = holder ~= ''
  if epoch ~= d.epoch or (of_a_probe and holder ~= token) or (not of_a_probe and d.phase ~= CLOSED) then
    tally[1], ruling = tally[1] + 1, LATE
  elseif of_a_probe then
    note_expired_lease()
    if verb == SUCCESS then probe_succeeded() elseif verb == FAILURE then probe_failed() else probe_neutral() end
  elseif age > SHORT_WINDOW then
    tally[3], ruling = tally[3] + 1, STALE
  else
    count_outcome(verb, successes, flush, reporter)
  end
end

function events.evaluate()
  begin()
  evaluate()
end

function events.pause()
  local n = arguments(4, 5)
  if not n or n[2] > 2 then return fault('the arguments of pause, 4 and 5, are malformed') end
  begin()
  extend_pause(n[1], n[2])
end

function events.operate()
  local n = arguments(4, 5)
  if not n or n[1] > 3 then return fault('the arguments of operate, 4 and 5, are malformed') end
  begin()
  local action, duration = unpack(n)  -- 0 open, 1 close, 2 automatic, 3 end the pause
  local function end_pause() d.pause_until, d.pause, d.pause_reason = 0, 0, 0 end
  if action == 3 then
    end_pause()
    return written()
  end
  note_expired_lease()
  local open = action == 0 or (action == 2 and d.forced == 1 and d.forced_until > now)
  drop_lease()
  clear_counts()
  neutral_probes, closed_at = 0, 0
  d.failed_probes, d.cooldown, d.restored, d.open_until = 0, 0, 0, open and now or 0
  change_phase(open and OPEN or CLOSED, CAUSE.operator_act, now)
  local forces = action ~= 2
  d.forced = not forces and 0 or open and 1 or 2
  d.forced_for = forces and min(duration, LONGEST) or 0
  d.forced_until = forces and now + d.forced_for or 0
  if not forces then end_pause() end
  new_epoch()
  written()
end

if not events[EVENT] then return fault('argument 1 names no event') end
local refused = events[EVENT]()
if refused then return refused end

-- Writing -------------------------------------------------------------------------------------------------------------------
-- Every key lives as long as what it says can matter: the farthest deadline, then the window, the longest cool-down and a
-- margin. No key's life is ever shortened, so workers with other configurations cannot take it away from each other.
local MARGIN_MS = 60000
local farthest = max(d.open_until, d.lease_end, d.pause_until, d.forced_until, d.failures_until, now)
if closed_at ~= 0 then farthest = max(farthest, closed_at + FLAP_GUARD) end
local life = math.ceil((farthest - now + WINDOW + MAX_COOLDOWN) / 1000) + MARGIN_MS

local texts = {
  d.version ~= 0 and text_of(d) or nil,
  stored[2],
  token ~= '' and '1 ' .. token or nil,
  (neutral_probes ~= 0 or closed_at ~= 0) and format('1 %.0f %.0f', neutral_probes, closed_at) or nil,
  tally[1] + tally[2] + tally[3] + tally[4] > 0 and format('1 %.0f %.0f %.0f %.0f', unpack(tally)) or nil,
}
if window_changed then
  texts[2] = w ~= empty_window and window_text() or nil
end
local renews = EVENT == 'report'
for i = 1, 5 do
  local text, done = texts[i], nil
  if text and text ~= stored[i] then
    local left = stored[i] and redis.call('PTTL', KEYS[i]) or 0
    done = redis.pcall('SET', KEYS[i], text, 'PX', format('%.0f', max(life, left)))
  elseif stored[i] and not text then
    done = redis.pcall('DEL', KEYS[i])
  elseif text and renews and redis.call('PTTL', KEYS[i]) < life then
    done = redis.pcall('PEXPIRE', KEYS[i], format('%.0f', life))
  end
  if type(done) == 'table' and done.err then return done end  -- OOM, READONLY, ...: only the first write can meet them
end
return answer()
