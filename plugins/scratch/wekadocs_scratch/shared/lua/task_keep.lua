-- What a task has come to. ARGV from 3: id, owner, body, life and alive in ms, over, most, most of one, most bytes.
local id, owner, body, life, alive, over = ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7]), ARGV[8]
local most, most_of_one, most_bytes = tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])
local key, all, sizes, own = P .. 'k:' .. id, P .. 'tasks', P .. 'tasks:bytes', P .. 'tasks:' .. owner
for name, kind in pairs({[all] = 'zset', [own] = 'zset', [sizes] = 'hash'}) do
  if not is(kind, name) then
    redis.call('DEL', name)
  end
end
for _, each in ipairs(redis.call('ZRANGEBYSCORE', all, 0, now)) do
  redis.call('ZREM', all, each)
  redis.call('HDEL', sizes, each)
end
redis.call('ZREMRANGEBYSCORE', own, 0, now)
local ends = now + life
if is('hash', key) then
  local found = redis.call('HMGET', key, 'owner', 'over', 'ends')
  if found[1] ~= owner or found[2] ~= '0' then
    return {'ok', 'over'}
  end
  ends = math.min(tonumber(found[3] or '') or ends, ends)
elseif redis.call('ZCARD', all) >= most or redis.call('ZCARD', own) >= most_of_one then
  return {'ok', 'full'}
end
local bytes = #body
local held = redis.call('HGETALL', sizes)
for place = 1, #held, 2 do
  if held[place] ~= id then
    bytes = bytes + (tonumber(held[place + 1]) or 0)
  end
end
if bytes > most_bytes then
  return {'ok', 'full'}
end
redis.call('HSET', key, 'owner', owner, 'body', body, 'ends', ends, 'alive', now + alive, 'over', over)
redis.call('PEXPIRE', key, math.max(1, ends - now))
redis.call('ZADD', all, ends, id)
redis.call('ZADD', own, ends, id)
redis.call('HSET', sizes, id, #body)
for _, name in ipairs({all, own, sizes}) do
  redis.call('PEXPIRE', name, life)
end
return {'ok', 'kept'}
