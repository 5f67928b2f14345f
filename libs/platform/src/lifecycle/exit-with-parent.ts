/**
 * Stops this process in an orderly way when its parent process has ended, so that a killed launcher leaves no child
 * processes behind. Does nothing in a process that was not forked.
 */
export function exitWithParent(): void {
  if (process.channel === undefined) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}
