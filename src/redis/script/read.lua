-- geobreaker: one transition of one provider's breaker, made atomically at the store's own time.
-- It is the second implementation of core::transition (src/core/transition.cpp), which is the model: tests drive both with
-- the same histories. Keys, formats, arguments and replies are specified in docs/protocol.md.
-- KEYS 1 open_until (the decision)  2 fails (the window)  3 probe_lock (the token)  4 probe_fails  5 meta (the tally)
-- ARGV 1 event  2 configuration  3 carried decision, or ''  4... the event's own arguments
-- Everything is read and checked before the first write, and the decision is written first.
-- The build joins read, window, steps, events and write, in that order, into one script: they share their locals.
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

-- Most askers need to know of the window only how young it is.
local START_OF_WINDOW = 40
local stored = {}
for i = 1, 5 do
  local text
  if i == 2 and EVENT == 'acquire' then
    text = redis.pcall('GETRANGE', KEYS[i], 0, START_OF_WINDOW - 1)
    if text == '' then text = false end
  else
    text = redis.pcall('GET', KEYS[i])
  end
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
  window_at = tonumber(match(stored[2], '^1 (%d+) %d+ ') or MOST + 1)
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
local known_version = d.version  -- every change of the decision raises its version
local function answer()
  local text = stored[1] and d.version == known_version and stored[1] or text_of(d)
  local reply = {format('1 %.0f %d %d %.0f %.0f', now, ruling, refusal, retry_after, settles_at), text}
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

if EVENT == 'acquire' and stored[2] and #stored[2] == START_OF_WINDOW then stored[2] = redis.call('GET', KEYS[2]) end

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

