-- Which names a session was sent before, as a row of 0 and 1. ARGV from 3: id, life, names of eight bytes each.
local id, life, names, known = ARGV[3], tonumber(ARGV[4]), ARGV[5], {}
local key = P .. 'n:' .. id
local over = tonumber(redis.call('ZSCORE', P .. 'ends', 'n:' .. id) or '0') <= now
if over or not is('set', key) then
  return {'ok', string.rep('0', #names / 8)}
end
redis.call('PEXPIRE', key, life)
redis.call('ZADD', P .. 'ends', 'XX', now + life, 'n:' .. id)
redis.call('ZADD', P .. 'use:n', 'XX', tick(), id)
for at = 1, #names, 8 do
  known[#known + 1] = redis.call('SISMEMBER', key, string.sub(names, at, at + 7))
end
return {'ok', table.concat(known)}
