/**
 * Ends this process in an orderly way when the process that forked it is gone (killed too hard to say so), so that a
 * crashed launcher leaves no orphans. Does nothing for a process that was not forked.
 */
export function exitWithParent(): void {
  if (process.channel === undefined) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}
