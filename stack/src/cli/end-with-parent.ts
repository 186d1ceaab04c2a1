// Preloaded into jest: exits when the command that started jest is killed. The workers of jest exit with it.
if (process.channel && !process.env['JEST_WORKER_ID']) {
  process.once('disconnect', () => process.exit(1));
  process.channel.unref();
}
