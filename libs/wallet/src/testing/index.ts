/**
 * wallet/testing: rows of wallets for the tests of other libs.
 *
 * Owns: builders with defaults. Never does: call an exchange, or make a row that connecting could not have made.
 */
export { connectedWallet, type ConnectedWalletOptions } from './connected-wallet.js';
