-- The steps that a breaker can take, each as in the model.
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

