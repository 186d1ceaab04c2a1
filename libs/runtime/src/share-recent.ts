/** Shares one answer among all calls until `ms` after it came, so that many readers cost as one. A failure is not kept. */
export function shareRecent<Answer>(
  ms: number,
  read: () => Promise<Answer>,
  now: () => number = Date.now,
): () => Promise<Answer> {
  let last: { readonly answer: Promise<Answer>; until: number } | undefined;
  return () => {
    if (last && now() < last.until) return last.answer;
    const current = { answer: read(), until: Infinity };
    last = current;
    current.answer.then(
      () => (current.until = now() + ms),
      () => (current.until = 0),
    );
    return current.answer;
  };
}
