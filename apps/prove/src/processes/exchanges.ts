/** An exchange at which schedules withdraw, and how the sandbox exchange names its endpoints. */
export interface ProvenExchange {
  readonly id: string;
  readonly withdraw: string;
  readonly history: string;
  /** Keys have this passphrase at the sandbox exchange. */
  readonly passphrase?: string;
  /** The exchange refuses the second copy of a submission that the network delivers twice. */
  readonly refusesCopies: boolean;
  /** Whether it refuses requests with a nonce that it has seen. */
  readonly hasNonces: boolean;
}

const PASSPHRASE = 'sandbox';

const signed = (id: string, more: { passphrase?: string; refusesCopies: boolean }): ProvenExchange => ({
  ...{ id, withdraw: `${id}.withdraw`, history: `${id}.withdrawals`, hasNonces: false, ...more },
});

export const kraken: ProvenExchange = {
  ...{ id: 'kraken', withdraw: 'Withdraw', history: 'WithdrawStatus', refusesCopies: true, hasNonces: true },
};

/** The exchanges that the sandbox exchange simulates with withdrawals over the accounts of Kraken's protocol. */
export const provenExchanges: readonly ProvenExchange[] = [
  kraken,
  signed('okx', { passphrase: PASSPHRASE, refusesCopies: true }),
  signed('bybit', { refusesCopies: true }),
  // A second copy is another withdrawal there: no client can prevent what the network delivers twice.
  signed('kucoin', { passphrase: PASSPHRASE, refusesCopies: false }),
  signed('binance', { refusesCopies: false }),
];
