import { BROWSER_MAP, getParser, OS_MAP } from 'bowser';

/** Longest part of a header that is read. */
const longest = 512;

/** The library returns parts of headers that it does not know: they are the sender's words, which no page shows. */
const browsers: ReadonlySet<unknown> = new Set(Object.values(BROWSER_MAP));
const systems: ReadonlySet<unknown> = new Set(Object.values(OS_MAP));

/** Browser and system of a request, as its sender calls them, e.g. `Firefox, macOS`; undefined when neither is known. */
export function browserName(userAgent: string | undefined): string | undefined {
  if (!userAgent) return undefined;
  const parser = getParser(userAgent.slice(0, longest));
  const [browser, system] = [parser.getBrowserName(), parser.getOSName()];
  const names = [browsers.has(browser) && browser, systems.has(system) && system].filter(Boolean);
  return names.join(', ') || undefined;
}
