-- Before every script. KEYS[1]: what all keys begin with. ARGV: secret, time in ms or 0, what the script itself needs.
local P, now = KEYS[1], tonumber(ARGV[2])
local secret = redis.call('GET', P .. 'secret')
if not secret then
  redis.call('SET', P .. 'secret', ARGV[1])
elseif secret ~= ARGV[1] then
  return {'secret', secret}
end
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function is(kind, key)
  return redis.call('TYPE', key).ok == kind
end
local function tick()
  return redis.call('INCR', P .. 'tick')
end
