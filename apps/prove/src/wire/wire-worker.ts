import { parentPort, workerData } from 'node:worker_threads';
import type { StoreKind } from '../simulation/index.js';
import { WirePlayer, type WireBatch } from './wire-player.js';

export interface WireOrder {
  /** The source of nonces. */
  store: StoreKind;
}

const port = parentPort;
if (port === null) throw new Error('this file is a worker thread of run-wire');
const { store } = workerData as WireOrder;
const player = await WirePlayer.open(store);

port.on('message', (batch: WireBatch | 'end') => {
  void (batch === 'end'
    ? player.close().then(() => port.close())
    : player.playAll(batch).then((played) => port.postMessage(played)));
});
port.postMessage('ready');
