/** Ends a part of a page that is written here. */
const end = '<!-- end of generated -->';

/** Text as code. */
export const code = (text: unknown): string => `\`${String(text)}\``;

/** A table as the formatter writes it. */
export function tableOf(header: readonly string[], cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map((cell) => cell.replaceAll('|', String.raw`\|`)));
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [header, widths.map((width) => '-'.repeat(width)), ...rows].map(line);
}

/** A page with these lines as its generated part of a name; throws if it marks none. */
export function withGenerated(page: string, name: string, lines: readonly string[]): string {
  const begin = `<!-- generated: ${name} -->`;
  const [before, rest = ''] = page.split(`${begin}\n`);
  const [, ...after] = rest.split(`\n${end}`);
  if (before === undefined || !after.length)
    throw new Error(`a page with a generated part must have the line ${begin}, and below it ${end}`);
  return [before, [begin, '', ...lines, '', end].join('\n'), after.join(`\n${end}`)].join('');
}
