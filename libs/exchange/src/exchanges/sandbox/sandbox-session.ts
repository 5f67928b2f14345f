import type { AssetBalance, ExchangeSession, KeyInfo } from '../../port/exchange.port.js';
import type { IdentityCapability } from '../../port/identity.port.js';
import { readAccount, readBalances, readIdentity } from './sandbox-responses.js';
import type { SandboxClient } from './sandbox-client.js';
import { SandboxDeposits } from './sandbox-deposits.js';
import { SandboxHistory } from './sandbox-history.js';
import { SandboxWithdrawals } from './sandbox-withdrawals.js';

/** The capabilities of one account of the partner API. */
export class SandboxSession implements ExchangeSession {
  readonly asksInParallel = false;
  readonly withdrawals: SandboxWithdrawals;
  readonly history: SandboxHistory;
  readonly deposits: SandboxDeposits;
  readonly identity: IdentityCapability;

  constructor(
    private readonly client: SandboxClient,
    readonly connectorVersion: string,
  ) {
    this.withdrawals = new SandboxWithdrawals(client);
    this.history = new SandboxHistory(client);
    this.deposits = new SandboxDeposits(client);
    this.identity = { read: () => client.get('/identity', {}, readIdentity) };
  }

  get exchange(): string {
    return this.client.exchange;
  }

  async balances(): Promise<AssetBalance[]> {
    const balances = await this.client.get('/balances', {}, readBalances);
    return balances.map(({ asset, free, held: used, total }) => ({ asset, free, used, total }));
  }

  async keyInfo(): Promise<KeyInfo> {
    const account = await this.client.get('/account', {}, readAccount);
    return {
      permissions: account.permissions,
      ipAllowlist: account.ipAllowlist,
      validUntil: account.tokenExpiresAt,
      lastUsed: account.tokenLastUsedAt,
      createdTime: account.tokenCreatedAt,
      modifiedTime: null,
    };
  }
}
