/** The value of a metric at a metrics address; throws if it is missing. */
export async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(url)).text();
  const value = new RegExp(String.raw`^${name}(?:\{\S*)? (\S+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`${url} has no metric ${name}`);
  return Number(value);
}
