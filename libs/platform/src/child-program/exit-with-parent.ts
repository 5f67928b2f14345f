/**
 * Stops this process in an orderly way when its parent process has ended, so that a killed launcher leaves no child
 * processes behind. Does nothing in a process that was not forked.
 */
export function exitWithParent(): void {
  const stop = (): void => void process.kill(process.pid, 'SIGTERM');
  // `connected` exists only in a forked process.
  if (!('connected' in process)) return;
  if (process.connected) {
    process.once('disconnect', stop);
    // A listener keeps the channel open, and an open channel keeps a process running whose work is done.
    process.channel?.unref();
    return;
  }
  // The parent ended while this process was loading its modules.
  stop();
}
