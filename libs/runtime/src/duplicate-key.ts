/** MongoDB's error code for a duplicate key. */
const duplicateKey = 11_000;

/** Whether a write failed because another document has the same unique key. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === duplicateKey;
}

/** True if the write succeeded, false after a duplicate key; every other error is thrown. */
export async function unlessDuplicate(write: PromiseLike<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Repeats an upsert once after a duplicate key: of two writers that create a document at once, the loser updates it. */
export async function retryOnDuplicateKey<T>(upsert: () => Promise<T>): Promise<T> {
  try {
    return await upsert();
  } catch (error) {
    if (isDuplicateKey(error)) return upsert();
    throw error;
  }
}
