import { nonceOwner, spacingOwner } from '../nonces/nonces.js';
import { Cached } from '../transport/cached.js';
import { sameCode } from '../declaration/asset-names.js';
import type { CallBudget } from '../transport/call-budget.js';
import type { CallQueue } from '../transport/call-queue.js';
import { ListReader } from '../transport/list-reader.js';
import {
  METADATA_TTL_MS,
  type Connector,
  type ConnectorContext,
  type ExchangeDeclaration,
} from '../declaration/exchange-declaration.js';
import type { ExchangeCredentials, ExchangeSession } from '../port/exchange.port.js';
import { AssetCatalogue } from './asset-catalogue.js';
import { CredentialNonces } from './credential-nonces.js';
import type { DeclaredExchange } from './declared-exchange.js';
import { ExchangeClient, type ClientParts, type Signing, type Spacing } from './exchange-client.js';
import { feeEstimatesOf } from './fee-estimates.js';
import type { SigningKeys } from './signing-keys.js';

/** Maximum number of concurrent calls of one credential at an exchange that uses no nonces. */
const AT_ONCE = 3;

/** Completes a declaration: the lists of pairs and tickers get the exchange's id and address. */
export function declareExchange(
  declared: DeclaredExchange,
): Omit<DeclaredExchange, 'spec' | 'pairs' | 'tickers'> & ExchangeDeclaration {
  const { pairs, tickers, ...rest } = declared;
  const spec = { ...declared.spec, sandboxOnly: false };
  const { codeOf = sameCode, liveUrl } = declared;
  const source = { id: spec.id, codeOf, liveUrl };
  return {
    ...rest,
    spec,
    ...(pairs !== undefined && { pairs: { ...source, hasSandbox: spec.hasSandbox, ...pairs } }),
    ...(tickers !== undefined && { tickers: { ...source, ...tickers } }),
    load: (baseUrl, context) => new DeclaredConnector(declared, baseUrl, context),
  };
}

/** Opens sessions with one exchange at one address. They share the list of assets and the limit of calls. */
class DeclaredConnector implements Connector {
  private readonly assets: Cached<AssetCatalogue>;
  private readonly budget: CallBudget;

  constructor(
    private readonly exchange: DeclaredExchange,
    private readonly baseUrl: string,
    private readonly context: ConnectorContext,
  ) {
    const { id } = exchange.spec;
    const { addressRate } = exchange;
    this.budget = context.budgets.at({ exchange: id, baseUrl, addressRate }, this.asksInParallel ? AT_ONCE : 1);
    const publicCalls = this.budget.createQueue('public');
    this.assets = new Cached(context.clock, METADATA_TTL_MS, () => this.readAssets(publicCalls));
  }

  open(credentials: ExchangeCredentials, credentialId: string): ExchangeSession {
    const { spec, revision, connect } = this.exchange;
    const client = new ExchangeClient({
      ...this.sharedParts(),
      signing: this.signingWith(credentials),
      queue: this.budget.queueOf(credentialId),
      codeOf: this.exchange.codeOf ?? (this.exchange.assets === undefined ? sameCode : null),
    });
    const parts = connect(client, credentials.apiSecret === undefined ? 'bearer' : 'key');
    return {
      exchange: spec.id,
      asksInParallel: this.asksInParallel,
      lagMs: spec.lagMs,
      connectorVersion: `${spec.id} ${revision}`,
      balances: () => parts.balances(),
      otherAccounts: parts.otherAccounts,
      assetNames: () => parts.assetNames(),
      keyInfo: () => parts.keyInfo(),
      withdrawals: parts.withdrawals,
      history: parts.history,
      deposits: parts.deposits,
      trading: parts.trading,
      identity: parts.identity,
    };
  }

  /** Nonces must rise in the order in which calls arrive at the exchange, so calls with nonces are sent one by one. */
  private get asksInParallel(): boolean {
    return this.exchange.usesNonces !== true;
  }

  private sharedParts(): Omit<ClientParts, 'signing' | 'queue' | 'codeOf'> {
    const { transport, clock, meter, unreadable, config } = this.context;
    const { spec, limits, errors } = this.exchange;
    const { values } = config;
    return {
      exchange: spec.id,
      withdrawals: spec.withdrawals,
      feeEstimates: feeEstimatesOf(spec.id, values.WITHDRAWAL_FEE_ESTIMATES),
      baseUrl: this.baseUrl,
      assets: () => this.assets.get(),
      lists: new ListReader(spec.id, unreadable),
      limits,
      transport,
      errors,
      meter,
      clock,
      timeoutMs: values.EXCHANGE_TIMEOUT_MS,
      submitTimeoutMs: values.EXCHANGE_SUBMIT_TIMEOUT_MS,
    };
  }

  /**
   * Reads the exchange's public list of assets. All tenants share the client, so it has no credentials.
   * @throws ExchangeError
   */
  private async readAssets(queue: CallQueue): Promise<AssetCatalogue> {
    const { spec, assets } = this.exchange;
    if (assets === undefined) throw new Error(`${spec.id} declares no list of assets`);
    const client = new ExchangeClient({ ...this.sharedParts(), signing: null, queue, codeOf: sameCode });
    return client.call(
      assets.endpoint,
      {},
      (body) => new AssetCatalogue(assets.read(body, client.lists), assets.unlisted),
    );
  }

  private signingWith(credentials: ExchangeCredentials): Signing {
    const { sign, toKeys = revealed } = this.exchange;
    return {
      sign,
      keys: toKeys(credentials),
      nonces: this.noncesOf(credentials),
      takeSpace: (spacing) => this.takeSpace(credentials, spacing),
    };
  }

  private takeSpace({ apiKey }: ExchangeCredentials, { account, counted, periodMs }: Spacing): Promise<void> {
    const owner = spacingOwner(this.baseUrl, account ?? apiKey.reveal(), counted);
    return this.context.nonces.takeForPeriod(owner, periodMs);
  }

  private noncesOf({ apiKey }: ExchangeCredentials): CredentialNonces | null {
    if (this.exchange.usesNonces !== true) return null;
    const { nonces, config } = this.context;
    return new CredentialNonces(nonces, nonceOwner(this.baseUrl, apiKey.reveal()), config.values.EXCHANGE_TIMEOUT_MS);
  }
}

function revealed({ apiKey, apiSecret, apiPassphrase }: ExchangeCredentials): SigningKeys {
  return { apiKey: apiKey.reveal(), apiSecret: apiSecret?.reveal(), apiPassphrase: apiPassphrase?.reveal() };
}
