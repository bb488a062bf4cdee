-- To the server that runs a task. ARGV from 3: id, owner, message, most that wait.
local key, said = P .. 'k:' .. ARGV[3], P .. 'ks:' .. ARGV[3]
if not is('hash', key) or redis.call('HGET', key, 'owner') ~= ARGV[4] then
  return {'ok'}
end
if not is('list', said) then
  redis.call('DEL', said)
end
redis.call('RPUSH', said, ARGV[5])
redis.call('LTRIM', said, -tonumber(ARGV[6]), -1)
redis.call('PEXPIRE', said, math.max(1, redis.call('PTTL', key)))
return {'ok'}
