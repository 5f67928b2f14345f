import type { ProjectIdentity } from '#access';
import { WalletCredentials } from '../credentials/wallet-credentials.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { StoreGrant } from '../grants/store-grant.js';
import { connectedWallet, type ConnectedWalletOptions } from './connected-wallet.js';
import { authorizedAs } from './scripted-authorizations.js';
import type { WalletHarness } from './wallet-harness.js';

export interface GrantedWalletOptions extends ConnectedWalletOptions {
  /** Names the tokens: `access-<name>`, `refresh-<name>`. */
  name?: string;
  /** Milliseconds from now until the access token expires; null = the exchange does not report it. */
  accessLivesMs?: number | null;
}

/** Stores a wallet of the project as a connect by OAuth would. */
export async function grantedWallet(
  harness: WalletHarness,
  project: ProjectIdentity,
  { name = 'first', accessLivesMs = null, ...options }: GrantedWalletOptions = {},
): Promise<Wallet> {
  const wallet = await connectedWallet(harness.db, project, options);
  const accessExpiresAt = accessLivesMs === null ? null : new Date(harness.clock.now().getTime() + accessLivesMs);
  const { credentials, grant, scopes } = authorizedAs(name, { accessExpiresAt });
  const sealer = await harness.vault.sealer(project);
  const owner = { project, walletId: wallet.id, sealer };
  await harness.db.transaction(async (tx) => {
    await harness.get(WalletCredentials).store(tx, owner, credentials, sealer);
    await harness.get(StoreGrant).execute(tx, owner, grant, scopes);
  });
  return wallet;
}

export interface GrantRow {
  revision: string;
  scopes: string[];
  access_expires_at: Date | null;
  refresh_expires_at: Date | null;
  next_refresh_at: Date | null;
  failures: number;
  unanswered: number;
  ended_at: Date | null;
  holder: string | null;
  held_until: Date | null;
}

/** Returns the row of the wallet's grant; null = the wallet has no grant. */
export async function grantOf(harness: WalletHarness, wallet: Pick<Wallet, 'id'>): Promise<GrantRow | null> {
  const [row] = await harness.db.query<GrantRow>(`select * from wallet_grants where wallet_id = $1`, [wallet.id]);
  return row ?? null;
}
