/** A reason why the local stack cannot run; its message is the one line that says what to do about it. */
export class StackError extends Error {
  override readonly name = 'StackError';
}
