import type { ErrorMap } from '../transport/error-map.js';
import type { ExchangeDeclaration } from '../declaration/exchange-declaration.js';
import type { ExchangeSpec } from '../port/exchange-spec.js';
import type { ExchangeCredentials, ExchangeSession } from '../port/exchange.port.js';
import type { CcxtClient } from './ccxt-client.js';
import type { CcxtCredentials } from './ccxt-template.js';

/** With what a session was opened. */
export type CredentialKind = 'key' | 'bearer';

/** An exchange as declared differences over ccxt: what is data stands here, what is not stands in `connect`. */
export interface CcxtExchange extends Pick<ExchangeDeclaration, 'acceptsBearer' | 'authorization'> {
  readonly spec: ExchangeSpec;
  /** Raised when the connector's mappings change; stored with each attempt. */
  readonly revision: number;
  /** File and class of ccxt. */
  readonly ccxtId: string;
  /** Real base address; `EXCHANGE_<ID>_URL` overrides it. */
  readonly liveUrl: string;
  /** `urls.api` of the class with every address replaced by the base address. */
  readonly apiUrls: (baseUrl: string) => Record<string, string>;
  /** Overrides of ccxt's `options`, such as its own broker tags. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly errors: ErrorMap;
  /** Whether private calls carry a nonce that must be higher than every one before it. */
  readonly usesNonces?: true;
  /** Credentials as ccxt wants them, where that is not what the owner copied. */
  readonly toCcxt?: (credentials: ExchangeCredentials) => CcxtCredentials;
  readonly connect: (
    client: CcxtClient,
    credentials: CredentialKind,
  ) => Omit<ExchangeSession, 'exchange' | 'connectorVersion'>;
}
