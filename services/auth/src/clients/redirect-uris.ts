/** Schemes that a browser would run or read itself, or hand to something that is no client application. */
const unfit = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'ftp:',
  'javascript:',
  'mailto:',
  'vbscript:',
  'ws:',
  'wss:',
]);

/** Whether a client may come back to this address: of the web or of an app, and without a fragment (RFC 6749, 3.1.2). */
export const isAcceptable = (uri: string): boolean => !unfit.has(new URL(uri).protocol) && !uri.includes('#');
