-- What wrk sends: moves that are legal in many games at once, or the same question again and again.
--
-- From the environment: KIND (play, view, unchanged, livez), TABLES (a file with a line for each
-- game: the tokens of both seats and the view of the seat on turn, parted by tabs), KEYS (begins
-- every idempotency key of the run) and RATE (requests a second; without it as many as can be).
--
-- One thread has all connections, and answers do not say which one they came by. So a connection
-- that is free plays in the game that has waited longest, and an answer is known by its game_id.
-- An answer has all that the next move takes: who is on turn, and the actions where a hand matters.

local ffi = require('ffi')
ffi.cdef [[
  struct okg_time { long seconds, nanoseconds; };
  int clock_gettime(int clock, struct okg_time *now);
]]

local MONOTONIC = 1
local KIND, RATE = os.getenv('KIND'), tonumber(os.getenv('RATE') or '')
local EXPECTED = KIND == 'unchanged' and 304 or 200

-- Globals, for done() reads them from outside.
answered, refused, failed, idle, over, surprise = 0, 0, 0, 0, 0, ''

local games, waiting, first, last, sent = {}, {}, 1, 0, 0
local host, livez, tried

local function lightest(view)
  local card, least
  for each, points in view:match('"discard":(%b[])'):gmatch('"card":"(..)","deadwood_points":(%d+)') do
    points = tonumber(points)
    if not least or points < least then
      card, least = each, points
    end
  end
  return card
end

local BODIES = {pass = '{}', draw = '{"source":"stock"}', layoff = '{}'}
local VERBS = {upcard_offer = 'pass', draw = 'draw', layoff = 'layoff'}

-- The seat that is to move by a view, its operation and the body of it.
local function move_by(view)
  local phase, turn = view:match('"phase":"([%a_]+)"'), view:match('"turn":(%d)')
  if not phase or phase == 'over' then
    return 0, 'deal', '{}'
  end
  local verb = VERBS[phase]
  if verb then
    return tonumber(turn), verb, BODIES[verb]
  end
  local knock = view:match('"knock":%[{"discard":"(..)"')
  if knock then
    return tonumber(turn), 'knock', '{"discard":"' .. knock .. '"}'
  end
  return tonumber(turn), 'discard', '{"card":"' .. lightest(view) .. '"}'
end

-- Lines a game up for its next move, as its latest view has it.
local function line_up(game, view)
  if view:find('"status":"finished"', 1, true) then
    over = over + 1
    return
  end
  game.etag = view:match('"etag":"\\"([%w.-]+)')
  game.seat, game.verb, game.body = move_by(view)
  last = last + 1
  waiting[last] = game
end

local function read_tables()
  for line in io.lines(os.getenv('TABLES')) do
    local ann, bob, view = line:match('([^\t]+)\t([^\t]+)\t(.+)')
    local id = view:match('"game_id":"([%w_-]+)"')
    games[id] = {path = '/v1/games/' .. id, tokens = {[0] = ann, [1] = bob}}
    line_up(games[id], view)
  end
end

local function head(method, path, token)
  local bearer = token and ('Authorization: Bearer ' .. token .. '\r\n') or ''
  return method .. ' ' .. path .. ' HTTP/1.1\r\nHost: ' .. host .. '\r\n' .. bearer
end

local function next_move()
  -- wrk asks once before it starts, to see what a request looks like, and does not send that one.
  if not tried then
    tried = true
    return livez
  end
  local game = waiting[first]
  if not game then
    idle = idle + 1
    return livez
  end
  waiting[first] = nil
  first, sent = first + 1, sent + 1
  return head('POST', game.path .. '/' .. game.verb, game.tokens[game.seat])
    .. 'If-Match: "' .. game.etag .. '"\r\nIdempotency-Key: ' .. os.getenv('KEYS') .. '-' .. sent
    .. '\r\nContent-Type: application/json\r\nContent-Length: ' .. #game.body
    .. '\r\n\r\n' .. game.body
end

local function questions()
  local asked = {}
  for place = first, last do
    local game = waiting[place]
    local condition = KIND == 'unchanged' and ('If-None-Match: "' .. game.etag .. '"\r\n') or ''
    asked[place] = head('GET', game.path, game.tokens[game.seat]) .. condition .. '\r\n'
  end
  return asked
end

local function again_and_again(asked)
  local place = 0
  return function()
    place = place % #asked + 1
    return asked[place]
  end
end

function init()
  host = wrk.headers['Host']
  livez = head('GET', '/livez') .. '\r\n'
  if KIND == 'livez' then
    request = again_and_again({livez})
    return
  end
  read_tables()
  request = KIND == 'play' and next_move or again_and_again(questions())
end

function response(status, _, body)
  if status == EXPECTED then
    answered = answered + 1
  else
    refused = refused + (status < 500 and 1 or 0)
    failed = failed + (status >= 500 and 1 or 0)
    surprise = surprise == '' and (status .. ' ' .. body:sub(1, 400)) or surprise
  end
  if KIND == 'play' then
    local game = games[body:match('"game_id":"([%w_-]+)"')]
    if game then
      line_up(game, body)
    end
  end
end

if RATE then
  local now, due = ffi.new('struct okg_time')

  local function milliseconds()
    ffi.C.clock_gettime(MONOTONIC, now)
    return tonumber(now.seconds) * 1e3 + tonumber(now.nanoseconds) / 1e6
  end

  -- Every request has its time; a connection that is late sends at once.
  function delay()
    local moment = milliseconds()
    due = math.max((due or moment) + 1e3 / RATE, moment - 1e3)
    return math.max(0, math.floor(due - moment))
  end
end

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

local function quoted(text)
  return '"' .. text:gsub('[%c"\\]', ' ') .. '"'
end

function done(summary, latency)
  local thread, errors = threads[1], summary.errors
  local lost = errors.connect + errors.read + errors.write + errors.timeout
  local line = '{"seconds":%f,"requests":%d,"answered":%d,"refused":%d,"failed":%d,"lost":%d,'
    .. '"idle":%d,"over":%d,"p50":%f,"p99":%f,"surprise":%s}'
  print(line:format(summary.duration / 1e6, summary.requests, thread:get('answered'),
    thread:get('refused'), thread:get('failed'), lost, thread:get('idle'), thread:get('over'),
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, quoted(thread:get('surprise'))))
end
