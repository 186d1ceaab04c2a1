const duplicateKey = 11_000;

/** Whether a write failed because another document has the same unique key. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === duplicateKey;
}

/** Two writers may both try to create a document by an upsert; the second try of the loser updates it. */
export async function twice<T>(upsert: () => Promise<T>): Promise<T> {
  try {
    return await upsert();
  } catch (error) {
    if (isDuplicateKey(error)) return upsert();
    throw error;
  }
}
