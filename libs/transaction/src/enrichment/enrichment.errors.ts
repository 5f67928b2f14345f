import { DomainError } from '#platform/errors';

/** No chain API is configured for the network, or Causeway does not support the protocol of its chain APIs. */
export class EnrichmentNetworkNotSupported extends DomainError {
  constructor(network: string) {
    super('ENRICHMENT_NETWORK_NOT_SUPPORTED', `No chain API is configured for the network ${network}`);
  }
}

/** The chain API did not respond in time. The same look-up may be repeated. */
export class EnrichmentTimeout extends DomainError {
  constructor(network: string, cause?: unknown) {
    super(
      'ENRICHMENT_TIMEOUT',
      `The chain API of the network ${network} did not respond in time (repeat the request)`,
      { cause },
    );
  }
}

/** The chain API could not be reached, refused the call, or returned impossible facts. The log has the cause. */
export class EnrichmentApiError extends DomainError {
  constructor(network: string, cause: unknown) {
    super(
      'ENRICHMENT_API_ERROR',
      `The chain API of the network ${network} returned no usable response (repeat the request later)`,
      { cause },
    );
  }
}
