/** What stands between these lines of a page is written here. */
const [begin, end] = ['<!-- generated -->', '<!-- end of generated -->'];

/** Text as code. */
export const code = (text: unknown): string => `\`${String(text)}\``;

/** A table as prettier writes it. */
export function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [header, widths.map((width) => '-'.repeat(width)), ...rows].map(line);
}

/** A page with these lines as its generated part; throws if it marks none. */
export function withGenerated(page: string, lines: readonly string[]): string {
  const [before, rest = ''] = page.split(`${begin}\n`);
  const [, after] = rest.split(`\n${end}`);
  if (before === undefined || after === undefined)
    throw new Error(`a page with a generated part must have the line ${begin}, and below it ${end}`);
  return `${before}${[begin, '', ...lines, '', end].join('\n')}${after}`;
}
