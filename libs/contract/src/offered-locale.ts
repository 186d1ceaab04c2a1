/** The locale, of those there are, for somebody who reads another: the same, or another country's in that language. */
export function offeredLocale<Known extends string>(
  known: readonly Known[],
  wanted: string,
): Known | undefined {
  const locale = wanted.replace('-', '_');
  const language = `${locale.slice(0, 2).toLowerCase()}_`;
  return known.find((one) => one === locale) ?? known.find((one) => one.startsWith(language));
}
