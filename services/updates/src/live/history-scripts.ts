/**
 * Scripts on one member's keys, which share a hash slot. `head` is a hash of the epoch and the last number, `stream` holds
 * the messages under `<number>-0`. A head that is gone (Redis was emptied) begins a new epoch, and what the stream may
 * still hold is of no use then.
 */
const ensureHead = `
local function ensureHead(head, stream, fresh, seconds)
  if redis.call('HSETNX', head, 'epoch', fresh) == 1 then redis.call('DEL', stream) end
  redis.call('EXPIRE', head, seconds)
  local found = redis.call('HMGET', head, 'epoch', 'number')
  return found[1], tonumber(found[2] or '0')
end
`;

/**
 * KEYS head, stream, told; ARGV fresh epoch, head seconds, payload, history length, history seconds, channel.
 * Appends a message once per event (`told` is the event's key) and publishes it. Returns its number, 0 for a duplicate.
 */
export const appendScript = `${ensureHead}
if redis.call('EXISTS', KEYS[3]) == 1 then return 0 end
local epoch = ensureHead(KEYS[1], KEYS[2], ARGV[1], ARGV[2])
local number = redis.call('HINCRBY', KEYS[1], 'number', 1)
redis.call('XADD', KEYS[2], 'MAXLEN', ARGV[4], number .. '-0', 'm', ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[5])
redis.call('SET', KEYS[3], '1', 'EX', ARGV[5])
redis.call('PUBLISH', ARGV[6], 'm ' .. epoch .. ' ' .. number .. ' ' .. ARGV[3])
return number
`;

/**
 * KEYS head, stream; ARGV fresh epoch, head seconds, epoch and number after which to read ('' reads nothing).
 * Returns the head's epoch and number, then 1 and the messages after the position, or 0 where they are not all there.
 */
export const readScript = `${ensureHead}
local epoch, number = ensureHead(KEYS[1], KEYS[2], ARGV[1], ARGV[2])
local after = tonumber(ARGV[4])
if ARGV[3] == '' then return {epoch, number, 1, {}} end
if ARGV[3] ~= epoch or after > number then return {epoch, number, 0, {}} end
if after == number then return {epoch, number, 1, {}} end
local entries = redis.call('XRANGE', KEYS[2], (after + 1) .. '-0', '+')
if #entries ~= number - after then return {epoch, number, 0, {}} end
local payloads = {}
for i, entry in ipairs(entries) do payloads[i] = entry[2][2] end
return {epoch, number, 1, payloads}
`;
