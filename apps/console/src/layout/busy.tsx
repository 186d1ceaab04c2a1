import { Progress } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useIsFetching, useIsMutating } from '@tanstack/react-query';
import classes from './layout.module.css';
import { useTexts } from '../texts/texts.ts';

/** Milliseconds after which a wait is shown. */
const shownAfterMs = 300;

/** A bar at the top of the page while calls are pending. */
export function Busy() {
  const { text } = useTexts();
  const isBusy = useIsFetching() + useIsMutating() > 0;
  const [wasBusy] = useDebouncedValue(isBusy, shownAfterMs);
  if (!isBusy || !wasBusy) return null;
  return (
    <Progress className={classes.busy} value={100} size="xs" animated aria-label={text('layout.busy')} />
  );
}
