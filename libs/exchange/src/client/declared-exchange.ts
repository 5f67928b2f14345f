import type { CodeOf } from '../declaration/asset-names.js';
import type { ErrorMap } from '../transport/error-map.js';
import type { ExchangeDeclaration } from '../declaration/exchange-declaration.js';
import type { PairListing } from '../declaration/pair-source.js';
import type { TickerListing } from '../declaration/ticker-source.js';
import type { ExchangeSpec } from '../port/exchange-spec.js';
import type { ExchangeCredentials, ExchangeSession } from '../port/exchange.port.js';
import type { ListedName } from './asset-catalogue.js';
import type { ExchangeClient, Endpoint } from './exchange-client.js';
import type { ListReader } from '../transport/list-reader.js';
import type { Signer } from './signature.js';
import type { SigningKeys } from './signing-keys.js';

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

/** An exchange as its folder declares it: facts as data, behaviour in `sign` and `connect`. */
export interface DeclaredExchange extends Pick<
  ExchangeDeclaration,
  'acceptsBearer' | 'addressRate' | 'authorization' | 'limits' | 'networkNames' | 'otherHost'
> {
  readonly spec: Omit<ExchangeSpec, 'sandboxOnly'>;
  /** Increased when the connector's mappings change; stored with each attempt. */
  readonly revision: number;
  /** The exchange's real base address, which `EXCHANGE_<ID>_URL` overrides. */
  readonly liveUrl: string;
  readonly hostEvidence: string;
  readonly pairs?: PairListing;
  readonly tickers?: TickerListing;
  /** Our codes of assets, from their ids; absent = those in `assets`, or else the ids. */
  readonly codeOf?: CodeOf;
  /** The list of the assets' names; absent = the connector needs none. */
  readonly assets?: AssetListing;
  readonly errors: ErrorMap;
  /** Whether each private call needs a nonce higher than all earlier nonces. */
  readonly usesNonces?: true;
  /** Signs each call that is not public. */
  readonly sign: Signer;
  /**
   * Checks the owner's credentials and brings them into the form that `sign` uses; absent = they are used as they are.
   */
  readonly toKeys?: (credentials: ExchangeCredentials) => SigningKeys;
  readonly connect: (client: ExchangeClient, credentials: CredentialKind) => SessionParts;
}
