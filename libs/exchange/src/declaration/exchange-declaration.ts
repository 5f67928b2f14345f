import type { Clock } from '#platform/clock';
import type { ConfigValues } from '#platform/config';
import type { AuthorizationDeclaration } from './authorization-declaration.js';
import type { CallMeter } from '../transport/call-meter.js';
import type { ErrorMap } from '../transport/error-map.js';
import type { ExchangeSpec } from '../port/exchange-spec.js';
import type { ExchangeCredentials, ExchangeSession } from '../port/exchange.port.js';
import type { Nonces } from '../nonces/nonces.js';
import type { Sender } from '../transport/transport.js';

/** What a connector gets from the process it runs in. */
export interface ConnectorContext {
  readonly transport: Sender;
  readonly clock: Clock;
  readonly limits: ConfigValues;
  readonly meter: CallMeter;
  readonly nonces: Nonces;
}

/** Sessions with one exchange at one address. */
export interface Connector {
  /** Asks the exchange nothing. @param credentialId whose calls they are: one budget for all sessions of a credential. */
  open(credentials: ExchangeCredentials, credentialId: string): ExchangeSession;
}

/** An exchange of the registry, whatever speaks to it. */
export interface ExchangeDeclaration {
  readonly spec: ExchangeSpec;
  /** Real base address, which `EXCHANGE_<ID>_URL` overrides; absent = the exchange exists in the sandbox alone. */
  readonly liveUrl?: string;
  readonly errors: ErrorMap;
  /** Whether `apiKey` alone opens a session, too: the access token of an account that its owner has authorized. */
  readonly acceptsBearer?: boolean;
  /** How owners of accounts authorize us; absent = they paste a key. */
  readonly authorization?: AuthorizationDeclaration;
  /** Asks the exchange nothing. @throws when what speaks to it would do more than it is told to. */
  readonly load: (baseUrl: string, context: ConnectorContext) => Promise<Connector>;
}
