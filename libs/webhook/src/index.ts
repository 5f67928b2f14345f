/**
 * webhook: events that applications receive by HTTP, and notices that exchanges send.
 *
 * Owns: endpoints and their secrets, the deliveries of events with the log of their attempts.
 * Never does: decide what an event is (platform/events and the lib of the change do), follow a redirect, send to an address
 * that is not public unless WEBHOOK_ALLOW_PRIVATE is set, show a secret a second time.
 * Invariants: every event becomes one delivery for each enabled endpoint that wants it, in one transaction. A delivery
 * is sent at least once, and each time with the same id and body. Only one worker at a time delivers to an endpoint.
 */
export { WebhookModule } from './webhook.module.js';
