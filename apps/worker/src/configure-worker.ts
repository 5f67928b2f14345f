import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { configureHttpApp } from '#platform/http';
import { addQueueBoard } from './board/queue-board.js';

/** Configures the app before `listen`: errors, shutdown, and the page at `/queues`. */
export async function configureWorker(app: NestFastifyApplication): Promise<void> {
  configureHttpApp(app);
  await addQueueBoard(app);
}
