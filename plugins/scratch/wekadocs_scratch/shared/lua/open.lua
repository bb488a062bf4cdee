-- A session of an older client; of one peer only so many, the oldest go. ARGV from 3: id, owner, peer, body, life, most.
local id, owner, peer, body = ARGV[3], ARGV[4], P .. 'peer:' .. ARGV[5], ARGV[6]
local life, most = tonumber(ARGV[7]), tonumber(ARGV[8])
redis.call('DEL', P .. 'm:' .. id)
redis.call('HSET', P .. 'm:' .. id, 'owner', owner, 'session', '', 'body', body, 'ends', now + life)
redis.call('PEXPIRE', P .. 'm:' .. id, life)
if not is('zset', peer) then
  redis.call('DEL', peer)
end
redis.call('ZADD', peer, tick(), id)
redis.call('PEXPIRE', peer, 10 * life)
if redis.call('ZCARD', peer) > most then
  for _, each in ipairs(redis.call('ZRANGE', peer, 0, -1)) do
    if redis.call('EXISTS', P .. 'm:' .. each) == 0 then
      redis.call('ZREM', peer, each)
    end
  end
end
while redis.call('ZCARD', peer) > most do
  local oldest = redis.call('ZRANGE', peer, 0, 0)[1]
  redis.call('ZREM', peer, oldest)
  redis.call('DEL', P .. 'm:' .. oldest)
end
return {'ok'}
