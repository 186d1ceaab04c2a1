/** Schemes that a browser would run or read instead of leaving for an app. */
const dangerous = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:']);

/** Whether a client may come back to this address: any scheme but those a browser would run, and no fragment (RFC 6749, 3.1.2). */
export const isAcceptable = (uri: string): boolean =>
  !dangerous.has(new URL(uri).protocol) && !uri.includes('#');
