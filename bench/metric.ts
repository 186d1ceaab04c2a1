/** The value of a metric of a process, by the address of its metrics. */
export async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(url)).text();
  return Number(new RegExp(String.raw`^${name}(?:\{\S*)? (\S+)$`, 'm').exec(text)?.[1]);
}
