-- Keeps what an answer hands out and drops what is over or too much: texts first, they can be read again.
-- ARGV from 3: life, most bytes of texts, of all, of one session; life and number of names sent; then seven for each:
-- kind (p passage, t its text alone, c cursor, s session, n names sent), id, owner, session, body, text, bytes.
local life, most_texts, most = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local most_session, sent_life, most_sent = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local sizes, ends = P .. 'sizes', P .. 'ends'
local evicted, expired = 0, 0

local function grow(field, by)
  return redis.call('HINCRBY', sizes, field, string.format('%d', by))  -- never -0, which is no number there
end

local function total()
  return tonumber(redis.call('HGET', sizes, 'all') or '0')
end

local function drop_text(id)
  local size, session = string.match(redis.call('HGET', sizes, 't:' .. id) or '', '^(%d+) (.*)$')
  redis.call('ZREM', P .. 'use:t', id)
  if is('hash', P .. 'p:' .. id) then
    redis.call('HDEL', P .. 'p:' .. id, 'text')
  end
  if size then
    redis.call('HDEL', sizes, 't:' .. id)
    redis.call('ZREM', P .. 'of:' .. session, id)
    grow('all', -size)
    if grow('o:' .. session, -size) <= 0 then
      redis.call('HDEL', sizes, 'o:' .. session)
    end
  end
end

local function drop(kind, id)
  if kind == 'p' then
    drop_text(id)
  end
  local size = tonumber(redis.call('HGET', sizes, kind .. ':' .. id) or '')
  redis.call('DEL', P .. kind .. ':' .. id)
  redis.call('ZREM', P .. 'use:' .. kind, id)
  redis.call('ZREM', ends, kind .. ':' .. id)
  if size then
    redis.call('HDEL', sizes, kind .. ':' .. id)
    grow('all', -size)
  end
end

local function add(kind, id, size, life)
  redis.call('HSET', sizes, kind .. ':' .. id, size)
  redis.call('PEXPIRE', P .. kind .. ':' .. id, life)
  redis.call('ZADD', P .. 'use:' .. kind, tick(), id)
  redis.call('ZADD', ends, now + life, kind .. ':' .. id)
  grow('all', size)
end

local function add_text(id, session, text, spared)
  redis.call('HSET', P .. 'p:' .. id, 'text', text)
  redis.call('HSET', sizes, 't:' .. id, #text .. ' ' .. session)
  redis.call('ZADD', P .. 'use:t', tick(), id)
  redis.call('ZADD', P .. 'of:' .. session, tick(), id)
  redis.call('PEXPIRE', P .. 'of:' .. session, 2 * life)
  grow('all', #text)
  grow('o:' .. session, #text)
  while tonumber(redis.call('HGET', sizes, 'o:' .. session) or '0') > most_session do
    local oldest = redis.call('ZRANGE', P .. 'of:' .. session, 0, 0)[1]
    if not oldest or oldest == spared then
      break
    end
    drop_text(oldest)
    redis.call('ZREM', P .. 'of:' .. session, oldest)
    evicted = evicted + 1
  end
end

local function shrink(limit, kind, dropped)
  while total() > limit do
    local oldest = redis.call('ZRANGE', P .. 'use:' .. kind, 0, 0)[1]
    if not oldest then
      return
    end
    dropped(oldest)
    evicted = evicted + 1
  end
end

for _, member in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', now, 'LIMIT', 0, 500)) do
  local kind = string.sub(member, 1, 1)
  drop(kind, string.sub(member, 3))
  if kind == 'p' then
    expired = expired + 1
  end
end

for first = 9, #ARGV, 7 do
  local kind, id, owner, session, body, text, size = unpack(ARGV, first, first + 6)
  local key = P .. kind .. ':' .. id
  if kind == 't' then
    if is('hash', P .. 'p:' .. id) and redis.call('HGET', P .. 'p:' .. id, 'owner') == owner then
      drop_text(id)
      add_text(id, session, text, id)
    end
  elseif kind == 'n' then
    local known = is('set', key) and tonumber(redis.call('ZSCORE', ends, 'n:' .. id) or '0') > now
    if not known then
      redis.call('DEL', key)
    end
    for at = 1, #body, 8 do
      redis.call('SADD', key, string.sub(body, at, at + 7))
    end
    local count = redis.call('SCARD', key)
    if count > most_sent then
      drop('n', id)
    else
      grow('all', -(tonumber(redis.call('HGET', sizes, 'n:' .. id) or '0')))
      add('n', id, tonumber(size) + 60 * count, sent_life)
    end
  else
    drop(kind, id)
    redis.call('HSET', key, 'owner', owner, 'session', session, 'body', body, 'ends', now + life)
    add(kind, id, size, life)
    if kind == 'p' then
      add_text(id, session, text)
    end
  end
end

shrink(most_texts, 't', drop_text)
for _, kind in ipairs({'c', 'n', 'p', 's'}) do
  shrink(most, kind, function(id) drop(kind, id) end)
end
return {'ok', total(), evicted, expired}
