/**
 * Scripts of the push queue. A lane is a push service or an app. `due` is a sorted set of its devices by the time of the next attempt,
 * `resting` those of them that wait for the end of quiet hours, with that time, `lanes` a sorted set of the lanes by their earliest time. A device
 * has a hash of its messages by type and, while it fails, a hash `failing` (since, attempts, until). All keys share a hash slot.
 */
const noteEarliest = `
local function noteEarliest(lanes, due, lane)
  local first = redis.call('ZRANGE', due, 0, 0, 'WITHSCORES')
  if first[2] then redis.call('ZADD', lanes, first[2], lane) else redis.call('ZREM', lanes, lane) end
end
`;

/**
 * KEYS event, lanes, newest, then for each device due, resting, messages, failing; ARGV now, time to send,
 * seconds to remember the event, seconds to keep messages, type, message, then for each device lane, name,
 * devices that may wait like it in the lane: those that rest leave room for those that do not. `newest` is a
 * hash of the member's newest event by type.
 * Queues a message for devices, once per event; of one type, the one of the later event stays and counts
 * those before. A message that arrives after a later one was sent would replace it on the phone, and is left
 * out. A queued or claimed device keeps its time, but one that rests is sent a message that does not wait.
 * Returns how many messages were replaced, and how many found no room.
 */
export const addScript = `
${noteEarliest}
if redis.call('EXISTS', KEYS[1]) == 1 then return {0, 0} end
redis.call('SET', KEYS[1], '1', 'EX', ARGV[3])
local now, at, replaced, dropped = tonumber(ARGV[1]), tonumber(ARGV[2]), 0, 0
local id, newest = cjson.decode(ARGV[6]).eventId, redis.call('HGET', KEYS[3], ARGV[5])
local isLate = newest and newest > id
if not isLate then
  redis.call('HSET', KEYS[3], ARGV[5], id)
  redis.call('EXPIRE', KEYS[3], ARGV[3])
end
for i = 0, (#KEYS - 3) / 4 - 1 do
  local due, resting, messages, failing = KEYS[4 + i * 4], KEYS[5 + i * 4], KEYS[6 + i * 4], KEYS[7 + i * 4]
  local lane, name, most = ARGV[7 + i * 3], ARGV[8 + i * 3], tonumber(ARGV[9 + i * 3])
  local waits = redis.call('ZSCORE', due, name)
  local alike = redis.call('ZCARD', resting)
  if at <= now then alike = redis.call('ZCARD', due) - alike end
  local old = redis.call('HGET', messages, ARGV[5])
  if isLate and not old then
    replaced = replaced + 1
  elseif waits or alike < most then
    local text = ARGV[6]
    if old then
      local before = cjson.decode(old)
      if before.eventId > id then text = old end
      text = string.gsub(text, '^{"count":%d+', '{"count":' .. string.format('%d', before.count + 1))
      replaced = replaced + 1
    end
    redis.call('HSET', messages, ARGV[5], text)
    redis.call('EXPIRE', messages, ARGV[4])
    local wakes = waits and at < tonumber(waits) and redis.call('ZSCORE', resting, name)
    if not waits or wakes then
      local after = math.max(tonumber(redis.call('HGET', failing, 'until') or '0'), at)
      redis.call('ZADD', due, after, name)
      if at > now then redis.call('ZADD', resting, after, name) else redis.call('ZREM', resting, name) end
      noteEarliest(KEYS[2], due, lane)
    end
  else
    dropped = dropped + 1
  end
end
return {replaced, dropped}
`;

/**
 * KEYS lanes, due, resting; ARGV lane, now, end of the claim, how many. Claims due devices: they are due again at the end of the
 * claim, unless they are settled before. Returns their names.
 */
export const claimScript = `
${noteEarliest}
local names = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[2], 'LIMIT', 0, ARGV[4])
for _, name in ipairs(names) do
  redis.call('ZADD', KEYS[2], ARGV[3], name)
  redis.call('ZREM', KEYS[3], name)
end
noteEarliest(KEYS[1], KEYS[2], ARGV[1])
return names
`;

/**
 * KEYS lanes, due, resting, messages, failing; ARGV lane, name, end of the claim, time of the next attempt, seconds to remember a failing
 * device, failing since, attempts (both empty if it works), how many messages rest until the next attempt, now, then type and text of
 * each message that is done.
 * A message that was replaced meanwhile stays. A device that another process has claimed since stays claimed. A device does not rest
 * if it has other messages than those that do. The time until which a device rests is no pause of a failing one.
 */
export const settleScript = `
${noteEarliest}
local lanes, due, resting, messages, failing = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
for i = 10, #ARGV, 2 do
  if redis.call('HGET', messages, ARGV[i]) == ARGV[i + 1] then redis.call('HDEL', messages, ARGV[i]) end
end
if ARGV[6] == '' then
  redis.call('DEL', failing)
else
  redis.call('HSET', failing, 'since', ARGV[6], 'attempts', ARGV[7])
  if tonumber(ARGV[8]) == 0 then redis.call('HSET', failing, 'until', ARGV[4]) end
  redis.call('EXPIRE', failing, ARGV[5])
end
local left = #redis.call('HGETALL', messages) / 2
if left == 0 then
  redis.call('ZREM', due, ARGV[2])
elseif redis.call('ZSCORE', due, ARGV[2]) == ARGV[3] then
  local next, rest = ARGV[4], tonumber(ARGV[8])
  if rest > 0 and left > rest then next = ARGV[9] end
  if rest > 0 and left <= rest then redis.call('ZADD', resting, next, ARGV[2]) end
  redis.call('ZADD', due, next, ARGV[2])
end
noteEarliest(lanes, due, ARGV[1])
return 1
`;

/** KEYS lanes, due, resting, messages, failing; ARGV lane, name. Deletes everything about a device. */
export const forgetScript = `
${noteEarliest}
redis.call('DEL', KEYS[4], KEYS[5])
redis.call('ZREM', KEYS[2], ARGV[2])
redis.call('ZREM', KEYS[3], ARGV[2])
noteEarliest(KEYS[1], KEYS[2], ARGV[1])
return 1
`;
