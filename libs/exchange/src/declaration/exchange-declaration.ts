import type { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import type { AuthorizationDeclaration } from './authorization-declaration.js';
import type { AddressRate, CallLimit } from '../transport/call-limit.js';
import type { CallBudgets } from '../transport/call-budget.js';
import type { CallMeter } from '../transport/call-meter.js';
import type { ErrorMap } from '../transport/error-map.js';
import type { ExchangeSpec } from '../port/exchange-spec.js';
import type { ExchangeCredentials, ExchangeSession } from '../port/exchange.port.js';
import type { Nonces } from '../nonces/nonces.js';
import type { NoticeDeclaration } from './notice-declaration.js';
import type { PairSource } from './pair-source.js';
import type { TickerSource } from './ticker-source.js';
import type { UnreadableEntries } from '../transport/list-reader.js';
import type { Sender } from '../transport/transport.js';

/** How long the assets and networks of an exchange are kept in memory. */
export const METADATA_TTL_MS = 300_000;

/** The services that a process provides to a connector. */
export interface ConnectorContext {
  readonly transport: Sender;
  readonly clock: Clock;
  readonly config: Config;
  readonly meter: CallMeter;
  readonly budgets: CallBudgets;
  readonly nonces: Nonces;
  readonly unreadable: UnreadableEntries;
}

/** Opens sessions with one exchange at one base address. */
export interface Connector {
  /**
   * Opens a session, without a call to the exchange. @param credentialId the id of the credential: all sessions with
   * the same id share one limit of calls
   */
  open(credentials: ExchangeCredentials, credentialId: string): ExchangeSession;
}

/** An exchange of the registry. */
export interface ExchangeDeclaration {
  readonly spec: ExchangeSpec;
  /** Real base address, which `EXCHANGE_<ID>_URL` overrides; absent = the exchange exists only in the sandbox. */
  readonly liveUrl?: string;
  /** The page that names `liveUrl`, and the date at which it was read; absent = there is no `liveUrl`. */
  readonly hostEvidence?: string;
  /**
   * A second host that the exchange documents for `liveUrl`: it serves the same accounts. A process uses it when the
   * usual host does not serve at its first request (`HostChoice`). Absent = there is one host.
   */
  readonly otherHost?: { readonly url: string; readonly probe: string; readonly evidence: string };
  readonly errors: ErrorMap;
  /**
   * The limits of calls that responses report: in headers, or by the refusal of a call. A ban is a ban only where it is
   * listed here, for the calls and the time that the exchange documents.
   */
  readonly limits: readonly CallLimit[];
  /** The number of calls that the exchange documents for one address; absent = it documents none for all calls. */
  readonly addressRate?: AddressRate;
  /** The tables by which the connector translates the exchange's names of networks into our ids. */
  readonly networkNames: readonly Readonly<Record<string, string>>[];
  /** Whether an access token opens a session; the token is then passed as `apiKey`, without a secret. */
  readonly acceptsBearer?: boolean;
  /** How account owners authorize us; absent = owners can only enter an API key. */
  readonly authorization?: AuthorizationDeclaration;
  /** The webhooks that the exchange sends to us; absent = none. */
  readonly notices?: NoticeDeclaration;
  /** The list of pairs; absent = the catalogue does not contain this exchange. */
  readonly pairs?: PairSource;
  /** The list of prices in US dollars; absent = no call of the exchange returns all of them. */
  readonly tickers?: TickerSource;
  /** Makes the connector, without a request to the exchange. */
  readonly load: (baseUrl: string, context: ConnectorContext) => Connector;
}
