import { homedir } from 'node:os';
import { join } from 'node:path';

/** The user's cache folder for a kind of file, shared by all checkouts (XDG base directories). */
export function cacheFolder(kind: string, environment: Record<string, string | undefined>): string {
  const home = environment['HOME'] ?? homedir();
  return join(environment['XDG_CACHE_HOME'] || join(home, '.cache'), 'covalence', kind);
}
