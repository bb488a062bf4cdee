-- One thing that was kept, for its owner. ARGV from 3: kind, id, owner, most bytes of a field, life to begin again or 0.
local kind, id, owner, most, life = ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
local key = P .. kind .. ':' .. id
if not is('hash', key) then
  return {'ok'}
end
for _, field in ipairs({'owner', 'session', 'body', 'text', 'ends'}) do
  if redis.call('HSTRLEN', key, field) > most then
    return {'ok'}
  end
end
local found = redis.call('HMGET', key, 'owner', 'ends', 'session', 'body', 'text')
if found[1] ~= owner or not found[4] or (tonumber(found[2] or '') or 0) <= now then
  return {'ok'}
end
if life > 0 then
  redis.call('HSET', key, 'ends', now + life)
  redis.call('PEXPIRE', key, life)
  redis.call('ZADD', P .. 'ends', 'XX', now + life, kind .. ':' .. id)
end
if kind == 'p' or kind == 's' then
  redis.call('ZADD', P .. 'use:' .. kind, 'XX', tick(), id)
end
if found[5] then
  redis.call('ZADD', P .. 'use:t', 'XX', tick(), id)
  redis.call('ZADD', P .. 'of:' .. (found[3] or ''), 'XX', tick(), id)
end
return {'ok', found[4], found[5]}
