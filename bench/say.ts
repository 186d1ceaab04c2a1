/** Tells what is being done. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`);
