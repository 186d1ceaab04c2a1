/** Loaded into the test runner: it ends when the command that started it is killed. Its own workers end with it. */
if (process.channel && !process.env['JEST_WORKER_ID']) {
    process.once('disconnect', () => process.exit(1));
    process.channel.unref();
}
export {};
//# sourceMappingURL=end-with-parent.js.map