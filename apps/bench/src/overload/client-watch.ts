import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;

/**
 * Shows whether the client process, and not the server, is the bottleneck. Delays of the client make the measured times
 * too long.
 */
export class ClientWatch {
  private readonly loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private readonly cpu = process.cpuUsage();
  private readonly began = performance.now();

  constructor() {
    this.loop.enable();
  }

  /** Reports the delay of the event loop, and the share of one core that this process used. */
  end(): string {
    this.loop.disable();
    const { user, system } = process.cpuUsage(this.cpu);
    const cores = (user + system) / 1_000 / (performance.now() - this.began);
    // The histogram adds the measuring interval RESOLUTION_MS to each delay.
    const delay = (nanoseconds: number): string => `${Math.round(Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS))} ms`;
    const { loop } = this;
    const delays = `p50 ${delay(loop.percentile(50))}, p95 ${delay(loop.percentile(95))}, max ${delay(loop.max)}`;
    return `loop delay ${delays}; ${cores.toFixed(2)} of a core`;
  }
}
