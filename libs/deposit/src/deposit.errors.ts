import { DomainError, listOf } from '#platform/errors';

/** `Retry-After` while the exchange accepts no deposits of an asset. Exchanges close deposit methods for minutes. */
const METHODS_RETRY_SECONDS = 60;

export class DepositAssetRequired extends DomainError {
  constructor() {
    super('DEPOSIT_ASSET_REQUIRED', 'The query parameter asset is required');
  }
}

export class DepositNetworkRequired extends DomainError {
  constructor() {
    super('DEPOSIT_NETWORK_REQUIRED', 'The query parameter network is required');
  }
}

/** The connector of the exchange does not support deposits. */
export class DepositExchangeNotSupported extends DomainError {
  constructor(exchange: string) {
    super('DEPOSIT_EXCHANGE_NOT_SUPPORTED', `Deposits at ${exchange} are not supported`);
  }
}

/**
 * `create_new` was requested, but on request the exchange creates no address of `method`; without `method`: none at
 * all.
 */
export class DepositNotImplemented extends DomainError {
  constructor(exchange: string, method?: string) {
    super(
      'DEPOSIT_NOT_IMPLEMENTED',
      `${exchange} creates no deposit addresses${method === undefined ? '' : ` of ${method}`} on request; use reusePolicy reuse_or_create`,
    );
  }
}

/** The exchange lists no deposit method for the asset: it does not know the asset, or has closed its deposits. */
export class DepositMethodsUnavailable extends DomainError {
  constructor(exchange: string, asset: string) {
    super('DEPOSIT_METHODS_UNAVAILABLE', `${exchange} has no deposit method for ${asset} now; try again later`, {
      retryAfterSeconds: METHODS_RETRY_SECONDS,
    });
  }
}

/**
 * The requested network matches no deposit method of the asset, or several. `result.networks` lists the networks that
 * match exactly one deposit method.
 */
export class DepositMethodNotResolved extends DomainError {
  constructor(asset: string, network: string, networks: string[]) {
    const advice =
      networks.length === 0
        ? ', and no other network does: get the address on the site of the exchange'
        : `; use ${listOf(networks)}`;
    super(
      'DEPOSIT_METHOD_NOT_RESOLVED',
      `The network ${network} does not match exactly one deposit method of ${asset}${advice}`,
      { result: { networks } },
    );
  }
}

/** There is no address, and creating one is not allowed or not possible. */
export class DepositAddressUnavailable extends DomainError {
  constructor(message: string) {
    super('DEPOSIT_ADDRESS_UNAVAILABLE', message);
  }
}
