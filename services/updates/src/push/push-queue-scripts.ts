/**
 * Scripts of the push queue. `due` is a sorted set of the devices of one push service or app by the time of the next attempt,
 * `hosts` one of the push services and apps by their earliest time. A device has a hash of its messages by type and, while it fails, a hash `failing`
 * (since, attempts, until). All keys share a hash slot.
 */
const noteEarliest = `
local function noteEarliest(hosts, due, host)
  local first = redis.call('ZRANGE', due, 0, 0, 'WITHSCORES')
  if first[2] then redis.call('ZADD', hosts, first[2], host) else redis.call('ZREM', hosts, host) end
end
`;

/**
 * KEYS event, hosts, then for each device due, messages, failing; ARGV now, seconds to remember the event, seconds to keep
 * messages, type, message, then for each device host, name, devices that may wait at the host.
 * Queues a message for devices, once per event; of one type, the one of the later event stays. A queued or claimed device keeps its time.
 * Returns how many messages were replaced, and how many found no room.
 */
export const addScript = `
${noteEarliest}
if redis.call('EXISTS', KEYS[1]) == 1 then return {0, 0} end
redis.call('SET', KEYS[1], '1', 'EX', ARGV[2])
local replaced, dropped = 0, 0
for i = 0, (#KEYS - 2) / 3 - 1 do
  local due, messages, failing = KEYS[3 + i * 3], KEYS[4 + i * 3], KEYS[5 + i * 3]
  local host, name, most = ARGV[6 + i * 3], ARGV[7 + i * 3], tonumber(ARGV[8 + i * 3])
  local waits = redis.call('ZSCORE', due, name)
  if waits or redis.call('ZCARD', due) < most then
    local old = redis.call('HGET', messages, ARGV[4])
    if old then replaced = replaced + 1 end
    if not old or cjson.decode(old).eventId < cjson.decode(ARGV[5]).eventId then
      redis.call('HSET', messages, ARGV[4], ARGV[5])
    end
    redis.call('EXPIRE', messages, ARGV[3])
    if not waits then
      local after = tonumber(redis.call('HGET', failing, 'until') or '0')
      redis.call('ZADD', due, math.max(after, tonumber(ARGV[1])), name)
      noteEarliest(KEYS[2], due, host)
    end
  else
    dropped = dropped + 1
  end
end
return {replaced, dropped}
`;

/**
 * KEYS hosts, due; ARGV host, now, end of the claim, how many. Claims due devices: they are due again at the end of the claim,
 * unless they are settled before. Returns their names.
 */
export const claimScript = `
${noteEarliest}
local names = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[2], 'LIMIT', 0, ARGV[4])
for _, name in ipairs(names) do redis.call('ZADD', KEYS[2], ARGV[3], name) end
noteEarliest(KEYS[1], KEYS[2], ARGV[1])
return names
`;

/**
 * KEYS hosts, due, messages, failing; ARGV host, name, end of the claim, time of the next attempt, seconds to remember a failing
 * device, failing since, attempts (both empty if it works), then type and text of each message that is done.
 * A message that was replaced meanwhile stays. A device that another process has claimed since stays claimed.
 */
export const settleScript = `
${noteEarliest}
local hosts, due, messages, failing = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
for i = 8, #ARGV, 2 do
  if redis.call('HGET', messages, ARGV[i]) == ARGV[i + 1] then redis.call('HDEL', messages, ARGV[i]) end
end
if ARGV[6] == '' then
  redis.call('DEL', failing)
else
  redis.call('HSET', failing, 'since', ARGV[6], 'attempts', ARGV[7], 'until', ARGV[4])
  redis.call('EXPIRE', failing, ARGV[5])
end
if redis.call('EXISTS', messages) == 0 then
  redis.call('ZREM', due, ARGV[2])
elseif redis.call('ZSCORE', due, ARGV[2]) == ARGV[3] then
  redis.call('ZADD', due, ARGV[4], ARGV[2])
end
noteEarliest(hosts, due, ARGV[1])
return 1
`;

/** KEYS hosts, due, messages, failing; ARGV host, name. Deletes everything about a device. */
export const forgetScript = `
${noteEarliest}
redis.call('DEL', KEYS[3], KEYS[4])
redis.call('ZREM', KEYS[2], ARGV[2])
noteEarliest(KEYS[1], KEYS[2], ARGV[1])
return 1
`;
