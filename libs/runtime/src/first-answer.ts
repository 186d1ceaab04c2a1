/** Calls hosts one after the other. Resolves with the first answer; rejects with the error of the last host. */
export async function firstAnswer<Answer>(
  urls: readonly string[],
  call: (url: string) => Promise<Answer>,
): Promise<Answer> {
  let failure: unknown;
  for (const url of urls) {
    try {
      return await call(url);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
