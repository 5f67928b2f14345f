/** Tools of tests about webhooks. */
export { Receiver, type ReceivedRequest } from './receiver.js';
export { WebhookSecrets } from '../endpoints/webhook-secrets.js';
