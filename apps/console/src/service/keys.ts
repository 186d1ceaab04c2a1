import { useWindowEvent } from '@mantine/hooks';

/** Actions of keys, by their name as `keyOf` gives it. */
export type Keys = Readonly<Record<string, () => void>>;

/**
 * The key that was meant: digits by their place, which other layouts give only with Shift; letters as printed, but by their place where
 * the layout has other letters.
 */
export function keyOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  if (/^(Digit|Numpad)\d$/.test(code)) return code.slice(-1);
  if (key.length === 1 && !/^[\x20-\x7e]$/.test(key) && code.startsWith('Key'))
    return code.slice(3).toLowerCase();
  return key.length === 1 ? key.toLowerCase() : key;
}

const typesText = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox]), textarea, select, [role=dialog]') !== null;

/** Calls what keys do; not while somebody types, a dialog is open, or a key is held down. */
export function useKeys(keys: Keys): void {
  useWindowEvent('keydown', (event) => {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || typesText(event.target)) return;
    const action = keys[keyOf(event)];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
