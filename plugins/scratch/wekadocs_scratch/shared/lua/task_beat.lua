-- These tasks are alive; what was said to each is taken out. ARGV from 3: alive in ms, ids.
local heard = {'ok'}
for place = 4, #ARGV do
  local key, said = P .. 'k:' .. ARGV[place], P .. 'ks:' .. ARGV[place]
  if not is('hash', key) then
    heard[#heard + 1] = {'gone'}
  elseif redis.call('HGET', key, 'over') ~= '0' then
    heard[#heard + 1] = {'over'}
  else
    redis.call('HSET', key, 'alive', now + tonumber(ARGV[3]))
    local row = {'alive'}
    if is('list', said) then
      for _, each in ipairs(redis.call('LRANGE', said, 0, -1)) do
        row[#row + 1] = each
      end
    end
    redis.call('DEL', said)
    heard[#heard + 1] = row
  end
end
return heard
