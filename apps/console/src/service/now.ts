import { useInterval } from '@mantine/hooks';
import { useState } from 'react';

/** The current time, read again after each interval. */
export function useNow(intervalMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), intervalMs, { autoInvoke: true });
  return now;
}
