/** The ids that a device was told twice without a `reset` in between, behind which what it was told may come again. */
export function duplicatesIn(frames: readonly { readonly id: string; readonly type: string }[]): string[] {
  let told = new Set<string>();
  return frames.flatMap(({ id, type }) => {
    if (type === 'reset') told = new Set();
    const isTwice = told.has(id);
    told.add(id);
    return isTwice ? [id] : [];
  });
}
