import { firstTag } from './position.ts';

/**
 * Scripts on one member's keys, which share a hash slot. `head` is a hash of the epoch and the last message's number and tag;
 * `stream` holds messages, tags and event ids under `<number>-0`. Without a head, a new epoch begins and the stream is deleted.
 */
const ensureHead = `
local function ensureHead(head, stream, fresh, seconds)
  local found = redis.call('HMGET', head, 'epoch', 'number', 'tag')
  if not found[1] then
    redis.call('DEL', stream)
    redis.call('HSET', head, 'epoch', fresh)
  end
  redis.call('EXPIRE', head, seconds)
  return found[1] or fresh, tonumber(found[2] or '0'), found[3] or '${firstTag}'
end
`;

/**
 * KEYS head, stream, delivered; ARGV fresh epoch, head seconds, payload, history length, history seconds, channel, event id, the
 * ISO time before which messages are deleted, the prefix of the published text, the command that publishes, the epoch and number
 * that the message had before a failover.
 * Appends a message once per event and publishes it. Returns the number of processes that received it, which `delivered` keeps
 * for duplicates, then epoch and number; of a duplicate the first only, and nothing where messages before its former number are
 * missing. One message more than can be missed is kept, to compare its tag with the client's.
 */
export const appendScript = `${ensureHead}
local delivered = redis.call('GET', KEYS[3])
if delivered then return {tonumber(delivered)} end
local epoch, last, before = ensureHead(KEYS[1], KEYS[2], ARGV[1], ARGV[2])
local number = last + 1
if epoch == ARGV[11] and number < tonumber(ARGV[12]) then return {} end
local tag = string.sub(redis.sha1hex(before .. ARGV[7]), 1, 8)
redis.call('HSET', KEYS[1], 'number', number, 'tag', tag)
redis.call('XADD', KEYS[2], 'MAXLEN', ARGV[4] + 1, number .. '-0', 'm', ARGV[3], 't', tag, 'e', ARGV[7])
local first = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
while first and cjson.decode(first[2][2]).at < ARGV[8] do
  redis.call('XDEL', KEYS[2], first[1])
  first = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
end
redis.call('EXPIRE', KEYS[2], ARGV[5])
local processes = redis.call(ARGV[10], ARGV[6], ARGV[9] .. 'm ' .. epoch .. ' ' .. number .. ' ' .. tag .. ' ' .. ARGV[3])
redis.call('SET', KEYS[3], processes, 'EX', ARGV[5])
return {processes, epoch, number}
`;

/**
 * KEYS head, stream; ARGV fresh epoch, head seconds, history length, epoch, number and tag after which to read (an empty
 * epoch reads nothing). Returns the head's epoch, number and tag, then 1 with tag, message and event id of each later message, or 0 when
 * some are gone or the position is of a message that was lost.
 */
export const readScript = `${ensureHead}
local epoch, number, tag = ensureHead(KEYS[1], KEYS[2], ARGV[1], ARGV[2])
local after = tonumber(ARGV[5])
if ARGV[4] == '' then return {epoch, number, tag, 1, {}} end
if ARGV[4] ~= epoch or after > number or number - after > tonumber(ARGV[3]) then return {epoch, number, tag, 0, {}} end
if after == number then return {epoch, number, tag, ARGV[6] == tag and 1 or 0, {}} end
local entries = redis.call('XRANGE', KEYS[2], after .. '-0', '+')
local skipped = 0
if after > 0 then
  if not entries[1] or entries[1][2][4] ~= ARGV[6] then return {epoch, number, tag, 0, {}} end
  skipped = 1
end
if #entries - skipped ~= number - after then return {epoch, number, tag, 0, {}} end
local messages = {}
for i = skipped + 1, #entries do
  messages[#messages + 1] = entries[i][2][4]
  messages[#messages + 1] = entries[i][2][2]
  messages[#messages + 1] = entries[i][2][6]
end
return {epoch, number, tag, 1, messages}
`;
