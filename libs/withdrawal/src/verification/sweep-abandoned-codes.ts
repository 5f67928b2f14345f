import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Repeats } from '#platform/lifecycle';
import { ChallengeStore } from './challenge-store.js';

/** Erases collected codes whose quote has ended without them. One statement; needs no job. */
@Injectable()
export class SweepAbandonedCodes implements OnApplicationBootstrap {
  constructor(
    private readonly challenges: ChallengeStore,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly repeats: Repeats,
  ) {}

  onApplicationBootstrap(): void {
    const everyMs = this.config.values.CREDENTIALS_SWEEP_SECONDS * 1_000;
    this.repeats.start('erasure of abandoned codes', everyMs, () =>
      this.challenges.eraseAbandonedCodes(this.clock.now()),
    );
  }
}
