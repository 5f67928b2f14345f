/** The compiled files of the product, below `dist`, with the classes whose methods the preloaded module wraps. */
export const WRAPPED_FILES = [
  'libs/exchange/src/transport/transport.js',
  'libs/trading/src/orders/order-store.js',
  'libs/trading/src/orders/order-transitions.js',
  'libs/trading/src/placement/place-order.js',
  'libs/withdrawal/src/execution/submit-withdrawal.js',
  'libs/withdrawal/src/settling/settlement.js',
  'libs/withdrawal/src/withdrawals/withdrawal-store.js',
  'libs/withdrawal/src/withdrawals/withdrawal-transitions.js',
] as const;

export type WrappedFile = (typeof WRAPPED_FILES)[number];
