import { useSyncExternalStore } from 'react';

const veils = ['clear', 'gray', 'blurred'] as const;

/** The display of photos, so that disturbing ones hurt less. */
export type Veil = (typeof veils)[number];

// In the memory of the page, like everything about members.
let veil: Veil = 'clear';
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** The display of photos on every page until the console is closed, and the switch to the next one. */
export function useVeil(): { readonly veil: Veil; readonly change: () => void } {
  return {
    veil: useSyncExternalStore(subscribe, () => veil),
    change() {
      veil = veils[(veils.indexOf(veil) + 1) % veils.length] ?? 'clear';
      for (const listener of listeners) listener();
    },
  };
}
