import { loadConfig, type Config } from '#platform/config';
import { Keyring, Vault } from '#platform/crypto';
import type { DeclaredTraits } from '../scenario/declared.js';
import type { Feature } from '../scenario/features.js';
import { timing } from '../scenario/timing.js';
import { Simulation, type SeedResult } from '../world/simulation.js';
import type { StoreKind } from '../store/store-kinds.js';
import { openStores, type Stores } from '../store/stores.js';

/** The options that all runs of a player share. */
export interface PlayerOptions {
  store: StoreKind;
  /** Features that every run has. */
  features: readonly Feature[];
  /** The exchange of every run; null = the seeds draw one. */
  declared: DeclaredTraits | null;
}

/** Plays seeds one after the other. */
export class Player {
  private constructor(
    private readonly config: Config,
    private readonly stores: Stores,
    private readonly vault: Vault,
    private readonly options: PlayerOptions,
  ) {}

  static async open(options: PlayerOptions): Promise<Player> {
    const config = loadConfig({
      NODE_ENV: 'test',
      VAULT_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
      // Clocks of hosts may differ within this limit.
      CLOCK_DIFFERENCE_MAX_MS: String(2 * timing.skewMax),
    });
    const vault = new Vault(Keyring.fromConfig(config));
    return new Player(config, await openStores(options.store, config, vault), vault, options);
  }

  async play(seed: number, { isTraced } = { isTraced: false }): Promise<SeedResult> {
    const { config, vault, options } = this;
    const { features, declared } = options;
    return new Simulation({ seed, store: await this.stores.next(), config, vault, features, declared, isTraced }).run();
  }

  close(): Promise<void> {
    return this.stores.close();
  }
}
