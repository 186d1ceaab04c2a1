/** The value of a metric of a process, by the address of its metrics; throws where it is not told. */
export async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(url)).text();
  const value = new RegExp(String.raw`^${name}(?:\{\S*)? (\S+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`${url} tells no ${name}`);
  return Number(value);
}
