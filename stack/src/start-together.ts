interface Unit {
  stop(): Promise<void>;
}

/** Stops units in parallel. */
export async function stopAll(units: Iterable<Unit>): Promise<void> {
  await Promise.all([...units].map((unit) => unit.stop()));
}

/**
 * Starts units in parallel, each with a signal that aborts its start. When one fails or `stopped` aborts, stops the
 * others and rejects with the first reason.
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
