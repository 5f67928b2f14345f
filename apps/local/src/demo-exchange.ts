/** The exchange of the demo wallet. */
export const DEMO_EXCHANGE = 'kraken';
