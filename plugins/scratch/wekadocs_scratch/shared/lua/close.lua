-- A session of an older client is over. ARGV from 3: id.
redis.call('DEL', P .. 'm:' .. ARGV[3])
return {'ok'}
