import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where what was fetched or made of a kind is kept, shared by every clone of one user (XDG base directories). */
export function cacheFolder(kind: string, environment: Record<string, string | undefined>): string {
  const home = environment['HOME'] ?? homedir();
  return join(environment['XDG_CACHE_HOME'] || join(home, '.cache'), 'covalence', kind);
}
