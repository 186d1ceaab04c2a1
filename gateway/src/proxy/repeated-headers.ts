import type { IncomingMessage } from 'node:http';

/** Headers whose repetition different programs read differently. */
const single = new Set(['host', 'authorization']);

const lengths = new Set([...single].map(({ length }) => length));

/** Whether a request repeats Host or Authorization (RFC 9112, 3.2). Node silently keeps the first, so this reads the raw headers. */
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
