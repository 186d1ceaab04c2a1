/** What can be ended. */
interface Unit {
  stop(): Promise<void>;
}

/** Ends units side by side. */
export async function stopAll(units: Iterable<Unit>): Promise<void> {
  await Promise.all([...units].map((unit) => unit.stop()));
}

/**
 * Starts units side by side, each with a signal that ends its start early. When one fails, or `stopped` says so, the others are
 * stopped and it rejects with the reason of the first.
 */
export async function startTogether<Name, Started extends Unit>(
  names: readonly Name[],
  stopped: AbortSignal,
  start: (name: Name, signal: AbortSignal) => Promise<Started>,
): Promise<Started[]> {
  const failed = new AbortController();
  const signal = AbortSignal.any([stopped, failed.signal]);
  const starts = await Promise.allSettled(
    names.map((name) =>
      start(name, signal).catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
    ),
  );
  const units = starts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (!signal.aborted) return units;
  await stopAll(units);
  throw signal.reason;
}
