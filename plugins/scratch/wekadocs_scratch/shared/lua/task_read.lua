-- A task, for its owner. ARGV from 3: id, owner, most bytes.
local key, owner, most = P .. 'k:' .. ARGV[3], ARGV[4], tonumber(ARGV[5])
if not is('hash', key) or redis.call('HSTRLEN', key, 'body') > most then
  return {'ok'}
end
local found = redis.call('HMGET', key, 'owner', 'ends', 'body', 'alive')
if found[1] ~= owner or not found[3] or (tonumber(found[2] or '') or 0) <= now then
  return {'ok'}
end
return {'ok', found[3], (tonumber(found[4] or '') or 0) > now and 1 or 0}
