/** The ids that a device received twice without a `reset` in between, after which messages may be repeated. */
export function duplicatesIn(frames: readonly { readonly id: string; readonly type: string }[]): string[] {
  let received = new Set<string>();
  return frames.flatMap(({ id, type }) => {
    if (type === 'reset') received = new Set();
    const isTwice = received.has(id);
    received.add(id);
    return isTwice ? [id] : [];
  });
}
