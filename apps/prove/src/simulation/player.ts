import { loadConfig, type Config } from '#platform/config';
import { Keyring, Vault } from '#platform/crypto';
import { Simulation, type SeedResult } from './simulation.js';
import { timing } from './timing.js';
import { openStores, type StoreKind, type Stores } from './store/stores.js';

/** Plays seeds, one after the other. */
export class Player {
  private constructor(
    private readonly config: Config,
    private readonly stores: Stores,
    private readonly vault: Vault,
  ) {}

  static async open(kind: StoreKind): Promise<Player> {
    const config = loadConfig({
      NODE_ENV: 'test',
      VAULT_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
      // Hosts may differ, and are still let decide.
      CLOCK_DIFFERENCE_MAX_MS: String(2 * timing.skewMax),
    });
    return new Player(config, await openStores(kind, config), new Vault(Keyring.fromConfig(config)));
  }

  async play(seed: number, { isTraced } = { isTraced: false }): Promise<SeedResult> {
    const { config, vault } = this;
    return new Simulation({ seed, store: await this.stores.next(), config, vault, isTraced }).run();
  }

  close(): Promise<void> {
    return this.stores.close();
  }
}
