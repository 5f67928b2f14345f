/**
 * webhook: events that applications receive by HTTP, and notices that exchanges send.
 *
 * Owns: endpoints and their secrets, the deliveries of events with the log of their attempts,
 * and the notices that exchanges have sent.
 * Never does: record the events of other libs (each lib records its own through platform/events), follow a redirect,
 * send to an address that is not public unless WEBHOOK_ALLOW_PRIVATE is set, show a secret a second time.
 * Invariants: every event becomes one delivery for each enabled endpoint that receives its type, in one transaction. A
 * delivery is sent at least once, and each time with the same id and body. Only one worker at a time delivers to an
 * endpoint. A notice of an exchange is stored before it is answered, once for each id. A notice is a hint: all facts
 * are read from the exchange.
 */
export { eventCatalogue, eventTypes } from './endpoints/event-catalogue.js';
export { SECRET_OVERLAP_SECONDS_DEFAULT, SECRET_OVERLAP_SECONDS_MAX } from './endpoints/endpoint-rules.js';
export { CreateWebhookEndpoint } from './endpoints/create-webhook-endpoint.js';
export { RotateWebhookSecret } from './endpoints/rotate-webhook-secret.js';
export { WebhookEndpoints } from './endpoints/webhook-endpoints.service.js';
export type { WebhookEndpoint } from './endpoints/webhook-endpoint.js';
export { WebhookDeliveries } from './deliveries/webhook-deliveries.service.js';
export { deliveryStates, type DeliveryState, type WebhookDelivery } from './deliveries/delivery.js';
export { ResendWebhooks } from './deliveries/resend-webhooks.js';
export { messageOf } from './deliveries/webhook-message.js';
export { WebhookModule } from './webhook.module.js';
