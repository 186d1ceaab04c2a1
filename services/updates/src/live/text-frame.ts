/** First byte of a frame that is a whole text (RFC 6455, 5.2). */
const wholeText = 0x81;
/** Lengths that the second byte itself can tell, and what it says where two or eight bytes follow that do. */
const longestShort = 125;
const inTwoBytes = 126;
const inEightBytes = 127;

function headOf(length: number): Buffer {
  if (length <= longestShort) return Buffer.from([wholeText, length]);
  const long = length > 0xffff;
  const head = Buffer.alloc(long ? 10 : 4);
  head.writeUInt8(wholeText, 0);
  head.writeUInt8(long ? inEightBytes : inTwoBytes, 1);
  if (long) head.writeBigUInt64BE(BigInt(length), 2);
  else head.writeUInt16BE(length, 2);
  return head;
}

/**
 * A text as the bytes that a server writes to a WebSocket without extensions. The library makes them anew for each socket,
 * and gives head and text to the system separately: a tenth of what a message to ten thousand sockets takes (docs/figures.md).
 */
export function textFrame(text: string): Buffer {
  const body = Buffer.from(text);
  return Buffer.concat([headOf(body.length), body]);
}
