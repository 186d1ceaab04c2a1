import type { IncomingMessage } from 'node:http';

/** Headers that name whom a request is for and from: two of them are read differently by different programs. */
const single = new Set(['host', 'authorization']);

const lengths = new Set([...single].map(({ length }) => length));

/**
 * Whether a request has Host or Authorization more than once (RFC 9112, 3.2). Node keeps the first and says nothing, so
 * the headers are read as they came.
 */
export function hasRepeatedHeader({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let seen = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!lengths.has(name.length)) continue;
    const lower = name.toLowerCase();
    if (!single.has(lower)) continue;
    if (seen.includes(lower)) return true;
    seen += `${lower} `;
  }
  return false;
}
