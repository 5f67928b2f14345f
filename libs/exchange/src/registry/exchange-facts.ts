import type { ExchangeDeclaration } from '../declaration/exchange-declaration.js';
import type { ExchangeSpec } from '../port/exchange-spec.js';
import { exchanges } from './exchanges.js';

/** The facts about one exchange, for documents. */
export interface ExchangeFacts {
  readonly spec: ExchangeSpec;
  /** Whether owners can connect without an API key, by OAuth or QR login. */
  readonly isAuthorized: boolean;
  readonly hasPairs: boolean;
  readonly hasPrices: boolean;
  readonly hosts: readonly HostFact[];
}

/** A host of an exchange's API, with the page that names it and the date of the page. */
export interface HostFact {
  /** `null` = the exchange has no regional sites. */
  readonly region: string | null;
  readonly url: string;
  /** Whether a process uses this host only when the usual host of the site does not serve. */
  readonly isOther: boolean;
  readonly evidence: string;
}

/** All exchanges of the registry, in display order. */
export const exchangeFacts: readonly ExchangeFacts[] = Object.values(exchanges).map((exchange) => ({
  spec: exchange.spec,
  isAuthorized: exchange.authorization !== undefined,
  hasPairs: exchange.pairs !== undefined,
  hasPrices: exchange.tickers !== undefined,
  hosts: hostsOf(exchange),
}));

function hostsOf({ spec, liveUrl, hostEvidence = '', otherHost }: ExchangeDeclaration): HostFact[] {
  if (liveUrl === undefined) return [];
  const sites = spec.regions ?? [{ id: null, url: liveUrl, evidence: hostEvidence }];
  return sites.flatMap(({ id: region, url, evidence }) => [
    { region, url, isOther: false, evidence },
    ...(url === liveUrl && otherHost !== undefined
      ? [{ region, url: otherHost.url, isOther: true, evidence: otherHost.evidence }]
      : []),
  ]);
}
