import type { CodeOf } from '../declaration/asset-names.js';
import type { ErrorMap } from '../transport/error-map.js';
import type { ExchangeDeclaration } from '../declaration/exchange-declaration.js';
import type { PairListing } from '../declaration/pair-source.js';
import type { TickerListing } from '../declaration/ticker-source.js';
import type { ExchangeSpec } from '../port/exchange-spec.js';
import type { ExchangeCredentials, ExchangeSession } from '../port/exchange.port.js';
import type { ListedName } from './asset-catalogue.js';
import type { CcxtClient, Endpoint } from './ccxt-client.js';
import type { CcxtCredentials } from './ccxt-credentials.js';
import type { ListReader } from '../transport/list-reader.js';
import type { Signer } from './signer.js';

/** The capabilities of one account. */
export type SessionParts = Omit<ExchangeSession, 'exchange' | 'connectorVersion' | 'asksInParallel' | 'lagMs'>;

/** The kind of credentials that a session was opened with. */
export type CredentialKind = 'key' | 'bearer';

/** A public list of an exchange's assets, for an exchange whose ids are not the names that it shows. */
export interface AssetListing {
  readonly endpoint: Endpoint;
  /** @throws when no entry is readable */
  readonly read: (body: unknown, lists: ListReader) => readonly ListedName[];
  /** Our codes of ids that the list does not contain; absent = the ids. */
  readonly unlisted?: CodeOf;
}

/** An exchange as its folder declares it. */
export interface DeclaredExchange extends Omit<CcxtExchange, 'spec' | 'ccxtId' | 'pairs' | 'tickers'> {
  readonly spec: Omit<ExchangeSpec, 'sandboxOnly'>;
  /** Default: the exchange's id. */
  readonly ccxtId?: string;
  readonly pairs?: PairListing;
  readonly tickers?: TickerListing;
}

/** An exchange, declared by its differences from ccxt: facts as data, behaviour in `connect`. */
export interface CcxtExchange extends Pick<
  ExchangeDeclaration,
  'acceptsBearer' | 'addressRate' | 'authorization' | 'limits' | 'networkNames' | 'otherHost' | 'pairs' | 'tickers'
> {
  readonly spec: ExchangeSpec;
  /** Increased when the connector's mappings change; stored with each attempt. */
  readonly revision: number;
  /** The name of the exchange's file and class in ccxt. */
  readonly ccxtId: string;
  /** The exchange's real base address, which `EXCHANGE_<ID>_URL` overrides. */
  readonly liveUrl: string;
  readonly hostEvidence: string;
  /** Overrides of ccxt's `options`, such as its broker tags. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Headers of ccxt's class that are not sent, such as its broker id. The signature does not cover them. */
  readonly withoutHeaders?: readonly string[];
  /** Signs private calls by the exchange's own rule, where ccxt's class cannot sign every call. */
  readonly sign?: Signer;
  /** Our codes of assets, from their ids; absent = those in `assets`, or else the ids. */
  readonly codeOf?: CodeOf;
  /** The list of the assets' names; absent = the connector needs none. */
  readonly assets?: AssetListing;
  readonly errors: ErrorMap;
  /** Whether each private call needs a nonce higher than all earlier nonces. */
  readonly usesNonces?: true;
  /** Converts the owner's credentials to ccxt's notation. */
  readonly toCcxt?: (credentials: ExchangeCredentials) => CcxtCredentials;
  readonly connect: (client: CcxtClient, credentials: CredentialKind) => SessionParts;
}
