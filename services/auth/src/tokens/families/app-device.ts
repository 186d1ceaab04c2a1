import type { AppDevice } from './family-store.ts';

/** Longest texts of an app about its device, in characters. */
const longest = { platform: 32, device_name: 64 } as const;

/** Control characters, characters that fonts ignore, and those that reverse a line of text. */
const invisible = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

/** A text as pages can show it: visible characters on one line, cut to its maximum; undefined without any. */
function shownText(value: unknown, maximum: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  // The pattern is linear, and a request is at most 64 KiB.
  const text = value.replaceAll(/\s/g, ' ').replaceAll(invisible, '').replaceAll(/ {2,}/g, ' ').trim();
  return Array.from(text).slice(0, maximum).join('').trim() || undefined;
}

/** Platform and device of a sign-in as the app names them. A text that cannot be shown is left out: it refuses no sign-in. */
export function appDevice(parameters: Readonly<Record<string, unknown>> = {}): AppDevice {
  const platform = shownText(parameters['platform'], longest.platform);
  const device_name = shownText(parameters['device_name'], longest.device_name);
  return { ...(platform !== undefined && { platform }), ...(device_name !== undefined && { device_name }) };
}
