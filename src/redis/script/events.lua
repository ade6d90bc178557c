-- The events, with the checks of their arguments.
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

