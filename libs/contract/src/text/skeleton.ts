import { readFileSync } from 'node:fs';

/** The same relative path from src and dist. */
const table = new URL('../../data/confusables.tsv', import.meta.url);

let prototypes: ReadonlyMap<string, string> | undefined;

/** Prototypes of characters that look like others. */
function readPrototypes(): ReadonlyMap<string, string> {
  const lines = readFileSync(table, 'utf8').trimEnd().split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [prototype = '', alike = ''] = line.split('\t');
      return Array.from(alike, (character) => [character, prototype] as const);
    }),
  );
}

/** The skeleton of Unicode Technical Standard 39: texts that look alike have the same one. */
export function skeleton(text: string): string {
  prototypes ??= readPrototypes();
  const drawn = Array.from(text.normalize('NFD'), (character) => prototypes?.get(character) ?? character);
  return drawn.join('').normalize('NFD');
}
