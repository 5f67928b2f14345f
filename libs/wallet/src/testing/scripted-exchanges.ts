import type { AssetBalance, Exchanges, ExchangeSession, ExchangeSpec, KeyInfo, SessionTarget } from '#exchange';
import { ExchangeError, type ExchangeErrorKind } from '#exchange';
import { assertOutsideTransaction } from '#platform/database';

const spec = (id: string, rest: Partial<ExchangeSpec> = {}): ExchangeSpec => ({
  id,
  name: id,
  docsUrl: `https://${id}.example`,
  credentialFields: ['apiKey', 'apiSecret'],
  keyUrl: `https://${id}.example/keys`,
  access: ['read', 'deposit', 'trade', 'withdrawal'],
  permissionAccess: {},
  hasSandbox: true,
  sandboxOnly: false,
  ...rest,
});

const SPECS: ExchangeSpec[] = [
  spec('kraken'),
  spec('okx', {
    credentialFields: ['apiKey', 'apiSecret', 'apiPassphrase'],
    regions: ['global', 'eea'].map((id) => ({ id, name: id, url: `https://${id}.okx.example`, evidence: '' })),
  }),
  spec('gemini', { hasSandbox: false }),
  spec('sandbox', { credentialFields: ['apiKey'], sandboxOnly: true }),
];

/** Returns the response of an exchange, or throws its error. */
type Script<T> = (target: SessionTarget) => T;

/** Exchanges whose sessions respond as the test sets them, and that record the opened sessions. */
export class ScriptedExchanges implements Pick<Exchanges, 'specs' | 'find' | 'open' | 'openFresh'> {
  opened: { fresh: boolean; keep: boolean; target: SessionTarget }[] = [];
  keyInfo: Script<KeyInfo | Promise<KeyInfo>>;
  balances: Script<AssetBalance[] | Promise<AssetBalance[]>>;
  /** Capabilities of the sessions beyond balances and keys. */
  capabilities: Script<
    Pick<ExchangeSession, 'withdrawals' | 'history' | 'deposits' | 'trading' | 'identity' | 'otherAccounts'>
  >;

  constructor() {
    this.reset();
  }

  reset(): void {
    this.opened = [];
    this.balances = () => [];
    this.capabilities = () => ({});
    this.keyInfo = () => ({
      permissions: [],
      ipAllowlist: [],
      validUntil: null,
      lastUsed: null,
      createdTime: null,
      modifiedTime: null,
    });
  }

  specs(): ExchangeSpec[] {
    return SPECS;
  }

  find(id: string): ExchangeSpec | null {
    return SPECS.find((known) => known.id === id) ?? null;
  }

  open(target: SessionTarget, { keep } = { keep: true }): Promise<ExchangeSession> {
    return this.session(target, { fresh: false, keep });
  }

  openFresh(target: SessionTarget): Promise<ExchangeSession> {
    return this.session(target, { fresh: true, keep: false });
  }

  private async session(target: SessionTarget, how: { fresh: boolean; keep: boolean }): Promise<ExchangeSession> {
    assertOutsideTransaction('opening a session');
    this.opened.push({ ...how, target });
    return {
      exchange: target.exchange,
      connectorVersion: 'scripted 1',
      asksInParallel: false,
      assetNames: () => Promise.resolve(NAMES.map((code) => ({ code, aliases: [] }))),
      balances: async () => this.balances(target),
      keyInfo: async () => this.keyInfo(target),
      ...this.capabilities(target),
    };
  }
}

/** The assets that the exchange lists. */
const NAMES = ['BTC', 'ETH', 'SOL', 'USD', 'USDC', 'USDT', 'XRP'];

/** Returns a function that responds with an error. */
export function fails(kind: ExchangeErrorKind): () => never {
  return () => {
    throw new ExchangeError(kind, 'kraken', `scripted ${kind}`);
  };
}
