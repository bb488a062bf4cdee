-- A task is over, wherever it runs. ARGV from 3: id, owner, body, 1 where only one that is not alive may be ended.
local id, owner, body, only_dead = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local key = P .. 'k:' .. id
if not is('hash', key) then
  return {'ok'}
end
local found = redis.call('HMGET', key, 'owner', 'over', 'alive')
if found[1] ~= owner or found[2] ~= '0' or (only_dead == '1' and (tonumber(found[3] or '') or 0) > now) then
  return {'ok'}
end
redis.call('HSET', key, 'body', body, 'over', '1')
if is('hash', P .. 'tasks:bytes') then
  redis.call('HSET', P .. 'tasks:bytes', id, #body)
end
redis.call('DEL', P .. 'ks:' .. id)
return {'ok', 1}
