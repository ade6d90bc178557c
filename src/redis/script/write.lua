-- Writing what has changed.
-- Every key lives as long as what it says can matter: the farthest deadline, then the window, the longest cool-down and a
-- margin. No key's life is ever shortened, so workers with other configurations cannot take it away from each other.
local MARGIN_MS, SLACK_MS = 60000, 1000
local farthest = max(d.open_until, d.lease_end, d.pause_until, d.forced_until, d.failures_until, now)
if closed_at ~= 0 then farthest = max(farthest, closed_at + FLAP_GUARD) end
local life = math.ceil((farthest - now + WINDOW + MAX_COOLDOWN) / 1000) + MARGIN_MS

local texts = {
  d.version == known_version and stored[1] or d.version ~= 0 and text_of(d) or nil,
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
  elseif text and renews and redis.call('PTTL', KEYS[i]) < life - SLACK_MS then
    done = redis.pcall('PEXPIRE', KEYS[i], format('%.0f', life))
  end
  if type(done) == 'table' and done.err then return done end  -- OOM, READONLY, ...: only the first write can meet them
end
return answer()
