import { workerData } from 'node:worker_threads';
import { serveBatches } from '../play-batches.js';
import type { StoreKind } from '../simulation/index.js';
import { WirePlayer } from './wire-player.js';

const player = await WirePlayer.open(workerData as StoreKind);
serveBatches(
  (batch) => player.playAll(batch),
  () => player.close(),
);
