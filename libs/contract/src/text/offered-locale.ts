/** The best available locale for a requested one: the same, or one of the same language. */
export function offeredLocale<Known extends string>(
  known: readonly Known[],
  wanted: string,
): Known | undefined {
  const locale = wanted.replace('-', '_');
  const language = `${locale.slice(0, 2).toLowerCase()}_`;
  return known.find((one) => one === locale) ?? known.find((one) => one.startsWith(language));
}
