import { DomainError } from '#platform/errors';

/** When a client may ask again for an asset that cannot be received now: exchanges close methods for minutes, not for seconds. */
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

/** The connector of the exchange has no deposits. */
export class DepositExchangeNotSupported extends DomainError {
  constructor(exchange: string) {
    super('DEPOSIT_EXCHANGE_NOT_SUPPORTED', `Deposits at ${exchange} are not supported`);
  }
}

/** `create_new` at an exchange that has no call for it. */
export class DepositNotImplemented extends DomainError {
  constructor(exchange: string) {
    super('DEPOSIT_NOT_IMPLEMENTED', `${exchange} makes no new deposit addresses on request`);
  }
}

/** The exchange lists no way of receiving the asset: it does not know it, or has closed its deposits for now. */
export class DepositMethodsUnavailable extends DomainError {
  constructor(exchange: string, asset: string) {
    super('DEPOSIT_METHODS_UNAVAILABLE', `${exchange} has no deposit method for ${asset} now`, {
      retryAfterSeconds: METHODS_RETRY_SECONDS,
    });
  }
}

/** The network is none, or more than one, of the exchange's methods; `result.networks` are those that are exactly one. */
export class DepositMethodNotResolved extends DomainError {
  constructor(asset: string, network: string, networks: string[]) {
    super('DEPOSIT_METHOD_NOT_RESOLVED', `The network ${network} is not exactly one deposit method of ${asset}`, {
      details: { result: { networks } },
    });
  }
}

/** There is no address, and none may or can be made. */
export class DepositAddressUnavailable extends DomainError {
  constructor(message: string) {
    super('DEPOSIT_ADDRESS_UNAVAILABLE', message);
  }
}
