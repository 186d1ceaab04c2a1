import { readFileSync } from 'node:fs';

/** The script of every page, which adds what HTML cannot do. The same relative path from src and dist. */
export const script = readFileSync(new URL('../../../data/page.js', import.meta.url), 'utf8');
