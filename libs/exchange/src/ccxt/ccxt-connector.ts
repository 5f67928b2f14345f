import { nonceOwner, spacingOwner } from '../nonces/nonces.js';
import { Cached } from '../transport/cached.js';
import { sameCode } from '../declaration/asset-names.js';
import type { CallBudget } from '../transport/call-budget.js';
import { ListReader } from '../transport/list-reader.js';
import { repeatedOnce } from '../transport/send-read.js';
import type { HttpResponse } from '../transport/transport.js';
import {
  METADATA_TTL_MS,
  type Connector,
  type ConnectorContext,
  type ExchangeDeclaration,
} from '../declaration/exchange-declaration.js';
import type { ExchangeCredentials, ExchangeSession } from '../port/exchange.port.js';
import { AssetCatalogue } from './asset-catalogue.js';
import {
  assertPassive,
  loadCcxtClass,
  type CcxtClass,
  type CcxtConfig,
  type CcxtInstance,
  type CurrentRequests,
  type Wire,
} from './ccxt-class.js';
import { CcxtClient, type Spacing } from './ccxt-client.js';
import { toExchangeError } from './ccxt-error.js';
import type { CcxtExchange, DeclaredExchange } from './ccxt-exchange.js';
import type { CcxtCredentials } from './ccxt-credentials.js';
import type { CcxtTemplate } from './ccxt-template.js';
import { feeEstimatesOf } from './fee-estimates.js';
import { CredentialNonces, SigningNonces } from './signing-nonces.js';

/** Maximum number of concurrent calls of one credential at an exchange that uses no nonces. */
const AT_ONCE = 3;

/** Declares an exchange that uses a ccxt class. The lists of pairs and tickers get the exchange's id and address. */
export function overCcxt(declared: DeclaredExchange): CcxtExchange & ExchangeDeclaration {
  const { pairs, tickers, ...rest } = declared;
  const spec = { ...declared.spec, sandboxOnly: false };
  const { ccxtId = spec.id, codeOf = sameCode, liveUrl } = declared;
  const source = { id: spec.id, codeOf, liveUrl };
  const exchange: CcxtExchange = {
    ...rest,
    ccxtId,
    spec,
    ...(pairs !== undefined && { pairs: { ...source, hasSandbox: spec.hasSandbox, ...pairs } }),
    ...(tickers !== undefined && { tickers: { ...source, ...tickers } }),
  };
  return { ...exchange, load: (baseUrl, context) => CcxtConnector.load(exchange, baseUrl, context) };
}

/**
 * Opens sessions with one exchange at one address. They share the ccxt class, the list of assets and the limit of
 * calls.
 */
class CcxtConnector implements Connector {
  private readonly assets: Cached<AssetCatalogue>;
  private readonly budget: CallBudget;
  private readonly template: CcxtTemplate;
  private readonly signing = new SigningNonces();
  private readonly requests: CurrentRequests = new WeakMap();

  private constructor(
    private readonly exchange: CcxtExchange,
    private readonly baseUrl: string,
    private readonly context: ConnectorContext,
    private readonly loaded: CcxtClass,
  ) {
    const { clock, meter, budgets } = context;
    const { id } = exchange.spec;
    const { addressRate } = exchange;
    this.budget = budgets.at({ exchange: id, baseUrl, addressRate }, this.asksInParallel ? AT_ONCE : 1);
    this.template = loaded.prepare(this.config, this.wire);
    // All instances are made from the same template, so checking one is enough.
    assertPassive(this.template.create({}), baseUrl);
    const publicCalls = this.budget.createQueue('public');
    const lists = new ListReader(id, context.unreadable);
    // All tenants share the instance for public calls, so it has no credentials.
    const source = this.template.create({});
    this.assets = new Cached(clock, METADATA_TTL_MS, () =>
      meter.read({ exchange: id, operation: 'assets' }, (begin) =>
        repeatedOnce((newConnection) =>
          publicCalls.run(() => {
            begin();
            const heed = (response: HttpResponse): void => publicCalls.heed(response, 'assets');
            this.requests.set(source, { headers: {}, heed, newConnection });
            return readAssets(exchange, source, lists);
          }),
        ).catch((error: unknown) => {
          throw toExchangeError(id, exchange.errors, error);
        }),
      ),
    );
  }

  /** @throws when the library has no class `ccxtId`, or when the class would repeat calls or send them elsewhere. */
  static async load(exchange: CcxtExchange, baseUrl: string, context: ConnectorContext): Promise<CcxtConnector> {
    return new CcxtConnector(exchange, baseUrl, context, await loadCcxtClass(exchange.ccxtId));
  }

  open(credentials: ExchangeCredentials, credentialId: string): ExchangeSession {
    const { transport, clock, meter, unreadable } = this.context;
    const { values: limits } = this.context.config;
    const instance = this.createInstance(credentials);
    const client = new CcxtClient({
      exchange: this.exchange.spec.id,
      withdrawals: this.exchange.spec.withdrawals,
      feeEstimates: feeEstimatesOf(this.exchange.spec.id, limits.WITHDRAWAL_FEE_ESTIMATES),
      baseUrl: this.baseUrl,
      instance,
      nonces: this.noncesOf(credentials, instance),
      takeSpace: (spacing) => this.takeSpace(credentials, spacing),
      queue: this.budget.queueOf(credentialId),
      assets: () => this.assets.get(),
      codeOf: this.exchange.codeOf ?? (this.exchange.assets === undefined ? sameCode : null),
      lists: new ListReader(this.exchange.spec.id, unreadable),
      requests: this.requests,
      limits: this.exchange.limits,
      transport,
      errors: this.exchange.errors,
      meter,
      clock,
      timeoutMs: limits.EXCHANGE_TIMEOUT_MS,
      submitTimeoutMs: limits.EXCHANGE_SUBMIT_TIMEOUT_MS,
    });
    const { spec, revision, connect } = this.exchange;
    const parts = connect(client, credentials.apiSecret === undefined ? 'bearer' : 'key');
    return {
      exchange: spec.id,
      asksInParallel: this.asksInParallel,
      lagMs: spec.lagMs,
      connectorVersion: `${spec.id} ${revision} (ccxt ${this.loaded.version})`,
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

  private createInstance(credentials: ExchangeCredentials): CcxtInstance {
    const { toCcxt = toDefaultCredentials } = this.exchange;
    return this.template.create(toCcxt(credentials));
  }

  private get config(): CcxtConfig {
    return { urls: { api: this.loaded.urlsAt(this.baseUrl) }, options: this.exchange.options ?? {} };
  }

  private get wire(): Wire {
    const { transport, config } = this.context;
    const { limits, errors } = this.exchange;
    const timeoutMs = config.values.EXCHANGE_TIMEOUT_MS;
    return {
      send: async ({ headers, ...request }, instance) => {
        // `current` must be read before the first `await`: the next call of this instance replaces it.
        const current = this.requests.get(instance);
        const complete = { ...request, headers: { ...headers, ...current?.headers } };
        const { newConnection } = current ?? {};
        const response = await transport.send(complete, { timeoutMs, limits, newConnection });
        current?.heed(response);
        return response;
      },
      hasErrors: (body) => errors.errorsIn(body).length > 0,
      nonce: (instance) =>
        this.exchange.usesNonces === true ? this.signing.use(instance) : this.context.clock.now().getTime(),
      now: () => this.context.clock.now().getTime(),
      withoutHeaders: this.exchange.withoutHeaders,
      ...(this.exchange.sign !== undefined && { signing: { sign: this.exchange.sign, baseUrl: this.baseUrl } }),
    };
  }

  private takeSpace({ apiKey }: ExchangeCredentials, { account, counted, periodMs }: Spacing): Promise<void> {
    const owner = spacingOwner(this.baseUrl, account ?? apiKey.reveal(), counted);
    return this.context.nonces.takeForPeriod(owner, periodMs);
  }

  private noncesOf({ apiKey }: ExchangeCredentials, instance: CcxtInstance): CredentialNonces | null {
    if (this.exchange.usesNonces !== true) return null;
    const { nonces, config } = this.context;
    const owner = nonceOwner(this.baseUrl, apiKey.reveal());
    return new CredentialNonces(nonces, this.signing, {
      owner,
      instance,
      waitMaxMs: config.values.EXCHANGE_TIMEOUT_MS,
    });
  }
}

/** Reads the exchange's public list of assets. @throws when the exchange declares none, or when it is not readable */
async function readAssets(
  { spec, assets }: Pick<CcxtExchange, 'spec' | 'assets'>,
  source: CcxtInstance,
  lists: ListReader,
): Promise<AssetCatalogue> {
  if (assets === undefined) throw new Error(`${spec.id} declares no list of assets`);
  const { path, api, method } = assets.endpoint;
  const body: unknown = await source.request(path, api, method, {});
  return new AssetCatalogue(assets.read(body, lists), assets.unlisted);
}

function toDefaultCredentials({ apiKey, apiSecret, apiPassphrase, apiUid }: ExchangeCredentials): CcxtCredentials {
  return {
    apiKey: apiKey.reveal(),
    secret: apiSecret?.reveal(),
    password: apiPassphrase?.reveal(),
    uid: apiUid?.reveal(),
  };
}
