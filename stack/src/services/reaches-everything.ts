/**
 * Whether a part, by the address of its management port, is ready and reaches every store, also those that it is ready
 * without.
 */
export async function reachesEverything(managementUrl: string): Promise<boolean> {
  const look = await fetch(`${managementUrl}/health/ready`, { signal: AbortSignal.timeout(3_000) }).catch(
    () => undefined,
  );
  const report = (await look?.text().catch(() => '"down"')) ?? '';
  return look?.status === 200 && !report.includes('"down"');
}
