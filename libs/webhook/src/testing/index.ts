/** Tools of tests about webhooks. */
export { Receiver, type ReceivedRequest } from './receiver.js';
