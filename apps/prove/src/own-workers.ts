import { Worker, type WorkerOptions } from 'node:worker_threads';

const running = new Set<Worker>();

/** Starts a worker thread that `terminateWorkers` ends. */
export function startWorker(file: URL, options: WorkerOptions): Worker {
  const worker = new Worker(file, options);
  running.add(worker);
  worker.on('exit', () => running.delete(worker));
  return worker;
}

/** Ends all worker threads. Their listeners are not called, because this process ends next. */
export async function terminateWorkers(): Promise<void> {
  const workers = [...running];
  for (const worker of workers) worker.removeAllListeners();
  await Promise.all(workers.map((worker) => worker.terminate()));
}
