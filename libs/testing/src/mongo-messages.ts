import { mongo } from 'mongoose';

const { BSON } = mongo;

const opReply = 1;
const opQuery = 2_004;
const opMsg = 2_013;
const headerLength = 16;
const moreToCome = 2;

/** Cuts a stream of MongoDB's wire protocol into messages; `take` receives each whole one. */
export function createMessages(take: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length ? Buffer.concat([rest, chunk]) : chunk;
    while (rest.length >= headerLength && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      take(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

/** The offset of a message's document: the one of a query or a reply, else the body, which drivers send first. */
function documentAt(message: Buffer): number {
  const code = message.readInt32LE(12);
  if (code === opMsg) return headerLength + 5;
  if (code === opReply) return headerLength + 20;
  if (code === opQuery) return message.indexOf(0, headerLength + 4) + 9;
  throw new Error(`unknown message ${code}`);
}

/** The command, or the answer, of a message, without the sequences of documents behind it. */
export function documentIn(message: Buffer): Readonly<Record<string, unknown>> {
  const at = documentAt(message);
  return BSON.deserialize(message.subarray(at, at + message.readInt32LE(at)));
}

/** A command without some of its fields; all other bytes stay. */
export function withoutFields(message: Buffer, names: ReadonlySet<string>): Buffer {
  const at = documentAt(message);
  const fields = [...BSON.onDemand.parseToElements(message, at)].flatMap(
    ([, nameAt, nameLength, valueAt, length]) =>
      names.has(message.toString('utf8', nameAt, nameAt + nameLength))
        ? []
        : [message.subarray(nameAt - 1, valueAt + length)],
  );
  const behind = message.subarray(at + message.readInt32LE(at));
  const parts = [message.subarray(0, at), Buffer.alloc(4), ...fields, Buffer.alloc(1), behind];
  const shorter = Buffer.concat(parts);
  shorter.writeInt32LE(shorter.length, 0);
  shorter.writeInt32LE(shorter.length - at - behind.length, at);
  return shorter;
}

/** The message that answers a request; further ones to the same request follow a streamed one. */
export function answerTo(
  request: Buffer,
  document: Readonly<Record<string, unknown>>,
  isStreamed = false,
): Buffer {
  const isQuery = request.readInt32LE(12) === opQuery;
  const head = Buffer.alloc(headerLength + (isQuery ? 20 : 5));
  const body = BSON.serialize(document);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(request.readInt32LE(4), 8);
  head.writeInt32LE(isQuery ? opReply : opMsg, 12);
  // A reply says how many documents it has.
  if (isQuery) head.writeInt32LE(1, headerLength + 16);
  else head.writeInt32LE(isStreamed ? moreToCome : 0, headerLength);
  return Buffer.concat([head, body]);
}
