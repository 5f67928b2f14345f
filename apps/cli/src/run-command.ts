import type { INestApplicationContext } from '@nestjs/common';
import type { Terminal } from './terminal.js';

/** What a command works with. */
interface CommandContext {
  app: INestApplicationContext;
  terminal: Terminal;
  /** Who runs it, for the audit log. */
  actor: string;
}

/** Wraps the action of a command: the application is opened for it, and closed whatever happens. */
export type RunCommand = (work: (context: CommandContext) => Promise<void>) => Promise<void>;
