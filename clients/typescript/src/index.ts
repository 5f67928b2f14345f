/**
 * The typed client of Causeway. It works in Node, browsers and edge runtimes, and has no dependencies.
 *
 * It repeats only requests that are safe to repeat, and sends no second execution while the outcome of one is unknown.
 */
export { Causeway } from './causeway.js';
export type { CausewayOptions } from './transport.js';
export type { CallOptions, Input, OperationId, Output, WalletInput } from './call.js';
export { CausewayError, isCausewayError, type AnyCausewayError, type ErrorCode } from './errors.js';
export type { Entry, ListId } from './pages.js';
export type { Challenge, ChallengeStep, Codes, VerificationReport } from './challenge.js';
export type { RunOptions, RunResult, Transaction } from './withdrawals.js';
export type { LinkInput } from './connect.js';
export {
  openConnect,
  openPopup,
  type ConnectLink,
  type ConnectOutcome,
  type OpenOptions,
  type Popup,
} from './open-connect.js';
export { listen, type ListenMethod, type ListenOptions } from './listen.js';
export type { Topic, TopicMessage } from './topic.js';
export { verifyWebhook, WebhookRefused, type WebhookEvent, type WebhookRequest } from './webhooks.js';
