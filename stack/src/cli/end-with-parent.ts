// Preloaded into jest: exits when the command that started jest is killed, and in the workers when jest is.
if (process.env['JEST_WORKER_ID']) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && process.exit(1), 1_000).unref();
} else if (process.channel) {
  process.once('disconnect', () => process.exit(1));
  process.channel.unref();
}
