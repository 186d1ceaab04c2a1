/** Tracks frame boundaries in one direction of a WebSocket (RFC 6455, 5.2). */
export type FrameBoundary = ReturnType<typeof createFrameBoundary>;

const longestHeader = 14;
const maskBytes = 4;

/** Length of a header by its second byte: 2 bytes, an extended length of 2 or 8, and the mask. */
const headerLength = (second: number): number => {
  const short = second & 0x7f;
  const longer = short === 127 ? 8 : short === 126 ? 2 : 0;
  return 2 + longer + (second & 0x80 ? maskBytes : 0);
};

const payloadLength = (header: Buffer): number => {
  const short = header.readUInt8(1) & 0x7f;
  if (short === 127) return Number(header.readBigUInt64BE(2));
  return short === 126 ? header.readUInt16BE(2) : short;
};

/** Creates a tracker at the start of a stream. */
export function createFrameBoundary() {
  const header = Buffer.alloc(longestHeader);
  let filled = 0;
  let payload = 0;
  return {
    /** Takes the next bytes of the stream. */
    push(chunk: Buffer): void {
      let at = 0;
      while (at < chunk.length) {
        const skipped = Math.min(payload, chunk.length - at);
        payload -= skipped;
        at += skipped;
        if (at === chunk.length) return;
        header.writeUInt8(chunk.readUInt8(at), filled);
        filled += 1;
        at += 1;
        if (filled >= 2 && filled === headerLength(header.readUInt8(1))) {
          payload = payloadLength(header);
          filled = 0;
        }
      }
    },
    /** Whether the stream is between two frames, so that a frame can be inserted. */
    get atBoundary(): boolean {
      return filled === 0 && payload === 0;
    },
  };
}
