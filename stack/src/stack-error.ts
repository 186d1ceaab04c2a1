/** A reason why the local stack cannot run; its message is the one line that says what to do about it. */
export class StackError extends Error {
  override readonly name: string = 'StackError';
}

/** A part of the system does not answer, or cannot do what it was asked for now; later it may. */
export class PartAway extends StackError {
  override readonly name = 'PartAway';
}
