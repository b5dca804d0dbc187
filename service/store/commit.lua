-- Stores one commit of a game as one step, or refuses it without a trace.
--
-- KEYS  1 the game, 2 and 3 its rings of operations, 4 its log, 5 its rounds, 6 their results
-- ARGV  1 expected revision, empty to create     2 new revision     3 new snapshot
--       4 field of the operation                 5 its value        6 its ring: keys, internal, pinned
--       7 oldest id that the log must keep       8 life of the keys in seconds
--       9 number of events, then for each: id in the log, entry
--       number of finished rounds, then for each: number, first and last id of its moves,
--       its record up to the moves, its result
--
-- Returns {applied}, {missing}, {stale, snapshot} or {replayed, operation's value, snapshot}.

local KEPT_OPERATIONS = 64
local LONGEST_LIFE = 10 * 366 * 86400

local game, log, rounds, results = KEYS[1], KEYS[4], KEYS[5], KEYS[6]
local expected, operation, ttl = ARGV[1], ARGV[4], ARGV[8]

local held = redis.call('HMGET', game, 'rev', operation)
local revision, applied = held[1], held[2]
if not revision then
  if expected ~= '' then
    return {'missing'}
  end
elseif applied then
  -- A write, so that WAIT behind this script counts replicas that hold the operation. Extending a
  -- life by nothing takes no memory; an endless one would end by it.
  local left = redis.call('PTTL', game)
  if left > 0 then
    redis.call('PEXPIRE', game, left)
  else
    redis.call('HSET', game, 'rev', revision)
  end
  return {'replayed', applied, redis.call('HGET', game, 'snap')}
elseif revision ~= expected then
  return {'stale', redis.call('HGET', game, 'snap')}
end

-- Redis does not undo a script's earlier writes, so all that can fail has to fail before them.

local function refused(why)
  return redis.error_reply('COMMIT ' .. why)
end

local function number_in(text, pattern)
  return tonumber(string.match(text or '', pattern))
end

local function version_of(id)
  return number_in(id, '^(%d+)%-0$')
end

local events = number_in(ARGV[9], '^%d+$')
local tail = events and 10 + 2 * events
local finished = tail and number_in(ARGV[tail], '^%d+$')
if not finished or #ARGV ~= tail + 5 * finished then
  return refused('the number of arguments does not fit the events and rounds')
end

local life = number_in(ttl, '^%d+$')
if not life or life < 1 or life > LONGEST_LIFE then
  return refused('the life of the keys is 1 second to 10 years, not ' .. ttl)
end

local ids = {ARGV[7]}
for at = tail + 1, #ARGV, 5 do
  table.insert(ids, ARGV[at + 1])
  table.insert(ids, ARGV[at + 2])
end
for _, id in ipairs(ids) do
  if not version_of(id) then
    return refused('an id of the log is <version>-0, not ' .. id)
  end
end

local newest = 0
if revision then
  local entry = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
  newest = entry and version_of(entry[1]) or 0
end
for event = 1, events do
  local id = ARGV[8 + 2 * event]
  local version = version_of(id)
  if not version or version <= newest then
    return refused('the log is at version ' .. newest .. ' and cannot take ' .. id)
  end
  newest = version
end

-- Reading a key of another type fails here; writing to it would fail too late.
local ring = ({keys = KEYS[2], internal = KEYS[3]})[ARGV[6]]
if ring then
  redis.call('LLEN', ring)
end
if finished > 0 then
  redis.call('HLEN', rounds)
  redis.call('LLEN', results)
end

-- A full Redis refuses a script's first write and lets the later ones through, so the first is one
-- that takes memory.
redis.call('HSET', game, 'rev', ARGV[2], 'snap', ARGV[3], operation, ARGV[5])
if not revision then
  redis.call('DEL', KEYS[2], KEYS[3], log, rounds, results)
end

if ring and redis.call('RPUSH', ring, operation) > KEPT_OPERATIONS then
  redis.call('HDEL', game, redis.call('LPOP', ring))
end

for event = 1, events do
  redis.call('XADD', log, ARGV[8 + 2 * event], 'e', ARGV[9 + 2 * event])
end

for at = tail + 1, #ARGV, 5 do
  local moves = redis.call('XRANGE', log, ARGV[at + 1], ARGV[at + 2])
  for move = 1, #moves do
    moves[move] = moves[move][2][2]
  end
  redis.call('HSET', rounds, ARGV[at], ARGV[at + 3] .. table.concat(moves, ',') .. ']}')
  redis.call('RPUSH', results, ARGV[at + 4])
end

redis.call('XTRIM', log, 'MINID', '~', ARGV[7])
for _, key in ipairs(KEYS) do
  redis.call('EXPIRE', key, ttl)
end

-- The commit stands, even where publishing is forbidden.
redis.pcall('PUBLISH', game .. ':feed', ARGV[2])
return {'applied'}
