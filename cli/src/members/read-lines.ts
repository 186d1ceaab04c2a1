import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';

/** A line of a file. */
export interface FileLine {
  /** Without line break; undefined when there is a `problem`. */
  readonly text?: string;
  readonly problem?: string;
  /** The position after the line, bytes. */
  readonly end: number;
}

/** Far above the longest possible member. */
const longest = 1024 * 1024;
const chunkSize = 256 * 1024;
const newline = 0x0a;

function lineOf(parts: readonly Buffer[], length: number, end: number): FileLine {
  if (length > longest) return { problem: 'longer than 1 MiB', end };
  const bytes = Buffer.concat(parts);
  return isUtf8(bytes) ? { text: bytes.toString('utf8'), end } : { problem: 'not UTF-8', end };
}

/** The lines of a file; holds only one line and one chunk in memory. */
export async function* readLines(file: string): AsyncGenerator<FileLine> {
  let parts: Buffer[] = [];
  let length = 0;
  let position = 0;
  const take = (bytes: Buffer) => {
    length += bytes.length;
    if (length <= longest) parts.push(bytes);
    else parts = [];
  };
  const stream: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: chunkSize });
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
