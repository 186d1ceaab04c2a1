import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';

/** One line of a file. */
export interface FileLine {
  /** Without its end; undefined for a line that is too long or no UTF-8, which `problem` says. */
  readonly text?: string;
  readonly problem?: string;
  /** Bytes of the file up to and with this line. */
  readonly end: number;
}

/** A member with every field at its longest is far from it; more would only fill memory. */
const longest = 1024 * 1024;
const chunkSize = 256 * 1024;
const newline = 0x0a;

function lineOf(parts: readonly Buffer[], length: number, end: number): FileLine {
  if (length > longest) return { problem: 'longer than 1 MiB', end };
  const bytes = Buffer.concat(parts);
  return isUtf8(bytes) ? { text: bytes.toString('utf8'), end } : { problem: 'not UTF-8', end };
}

/** The lines of a file from a byte on; memory holds no more than one line and one chunk. */
export async function* readLines(file: string, from: number): AsyncGenerator<FileLine> {
  let parts: Buffer[] = [];
  let length = 0;
  let position = from;
  const take = (bytes: Buffer) => {
    length += bytes.length;
    if (length <= longest) parts.push(bytes);
    else parts = [];
  };
  const stream: AsyncIterable<Buffer> = createReadStream(file, { start: from, highWaterMark: chunkSize });
  for await (const chunk of stream) {
    let begin = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, begin)) {
      take(chunk.subarray(begin, at));
      yield lineOf(parts, length, position + at + 1);
      [parts, length, begin] = [[], 0, at + 1];
    }
    take(chunk.subarray(begin));
    position += chunk.length;
  }
  if (length > 0) yield lineOf(parts, length, position);
}
