import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import type { EventType } from '#platform/events';
import { eventCatalogue, eventTypes } from '#webhook';
import type { Schema } from './error-results.js';

const text = (description: string): Schema => ({ description, type: 'string' });
const textOrNull = (description: string): Schema => ({ description, type: ['string', 'null'] });
const amount = (description: string): Schema => ({
  description: `${description}, as a decimal string.`,
  type: 'string',
});

const WALLET = { walletId: text('The caller’s id of the wallet.'), exchange: text('Id of the exchange.') };

const WITHDRAWAL = object({
  ...WALLET,
  quoteId: text('The quote.'),
  withdrawalId: textOrNull('Our id of the withdrawal; null: the quote was not executed.'),
  transactionId: textOrNull('Our id of the transaction of the withdrawal; null: the quote was not executed.'),
  exchangeTransactionId: textOrNull('The exchange’s id of the withdrawal; null until it is known.'),
  status: {
    description: 'The state of the withdrawal.',
    type: 'string',
    enum: ['submitted', 'verification_required', 'completed', 'failed', 'canceled', 'rejected', 'unknown'],
  },
  asset: text('The asset.'),
  network: text('Id of the network.'),
  destinationAddress: text('The destination address.'),
  tag: textOrNull('Address tag or memo; null: none.'),
  amountNoFee: amount('The amount that arrives'),
  fee: amount('The fee'),
  amountWithFee: amount('The amount that is debited'),
  error: {
    description: 'The error of a refusal or of the required verification; null: none.',
    type: ['object', 'null'],
    properties: {
      error: textOrNull('What is wrong, for people.'),
      type: text('The error code.'),
      result: { description: 'Details of the error; null: none.', type: ['object', 'null'] },
    },
    required: ['error', 'type', 'result'],
  },
});

/** The schema of `data` for each type of event. */
const dataOf: Record<EventType, Schema> = {
  'wallet.created': object(WALLET),
  'wallet.deleted': object({
    ...WALLET,
    reason: { description: 'Why the wallet was deleted.', type: 'string', enum: ['requested', 'credentials_invalid'] },
  }),
  'wallet.balance.updated': object({
    ...WALLET,
    lastSyncAt: {
      description: 'When the exchange reported the balances; ISO 8601.',
      type: 'string',
      format: 'date-time',
    },
    assets: {
      description: 'The assets whose balances have changed since the previous refresh of the wallet.',
      type: 'array',
      items: { type: 'string' },
    },
  }),
  'wallet.credentials.invalid': object(WALLET),
  'wallet.credentials.valid': object(WALLET),
  'quote.created': { allOf: [object(WALLET), { $ref: getSchemaPath('QuoteResponse') }] },
  'withdrawal.submitted': WITHDRAWAL,
  'withdrawal.verification_required': WITHDRAWAL,
  'withdrawal.completed': WITHDRAWAL,
  'withdrawal.failed': WITHDRAWAL,
  'withdrawal.unknown': WITHDRAWAL,
  'withdrawal.reopened': WITHDRAWAL,
  'transaction.created': { $ref: getSchemaPath('TransactionResponse') },
  'transaction.updated': { $ref: getSchemaPath('TransactionResponse') },
  'order.updated': {
    allOf: [
      object({ walletId: WALLET.walletId, routeId: text('The route of the order.') }),
      { $ref: getSchemaPath('OrderResponse') },
    ],
  },
  'webhook_endpoint.disabled': object({
    endpointId: text('The endpoint that was disabled.'),
    url: text('Address of the disabled endpoint.'),
    reason: { description: 'Why the endpoint was disabled.', type: 'string', enum: ['failing', 'gone'] },
    failingSince: textOrNull('Time of the first failure since the last success; ISO 8601.'),
  }),
};

const HEADERS = {
  'webhook-id': 'Id of the event, the same for every attempt. Ignore a webhook whose id you have processed before.',
  'webhook-timestamp':
    'When this attempt was sent, in epoch seconds. Refuse a webhook whose time differs from your clock by more than five minutes.',
  'webhook-signature':
    'One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`.',
};

/** Adds the `webhooks` of OpenAPI 3.1: what an endpoint of a project receives. */
export function addWebhooks(document: OpenAPIObject): void {
  const webhooks = Object.fromEntries(eventTypes.map((type) => [type, { post: operationOf(type) }]));
  Object.assign(document, { webhooks });
  const schemas = Object.fromEntries(eventTypes.map((type) => [schemaNameOf(type), messageOf(type)]));
  document.components = { ...document.components, schemas: { ...document.components?.schemas, ...schemas } };
}

function operationOf(type: EventType): object {
  return {
    operationId: `receive${pascalCase(type)}`,
    summary: `Event ${type}`,
    description: eventCatalogue[type],
    tags: ['Webhooks'],
    security: [],
    parameters: Object.entries(HEADERS).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: getSchemaPath(schemaNameOf(type)) } } },
    },
    responses: {
      '2XX': { description: 'The endpoint has stored the event. Every other status is followed by a retry.' },
      '410': { description: 'The endpoint wants no more webhooks and is disabled.' },
    },
  };
}

function messageOf(type: EventType): object {
  const isOfWallet = type !== 'webhook_endpoint.disabled';
  return object(
    {
      id: { description: 'Id of the event, as in `webhook-id`.', type: 'string', format: 'uuid' },
      type: { description: 'Type of the event.', type: 'string', enum: [type] },
      timestamp: { description: 'When the change was recorded; ISO 8601.', type: 'string', format: 'date-time' },
      walletId: isOfWallet ? WALLET.walletId : { description: 'null: the event concerns no wallet.', type: 'null' },
      walletSequence: isOfWallet
        ? {
            description: 'Number among all events of the wallet: 1, 2, 3 … A higher number is later.',
            type: 'integer',
            minimum: 1,
          }
        : { description: 'null: the event concerns no wallet.', type: 'null' },
      data: {
        description: 'The change. `{"omitted": true}` when it would be larger than 256 KiB.',
        anyOf: [
          dataOf[type],
          object({
            omitted: { description: 'Always true: the data are larger than 256 KiB.', type: 'boolean', enum: [true] },
          }),
        ],
      },
    },
    eventCatalogue[type],
  );
}

/** An object whose members are all required. */
function object(properties: Record<string, Schema>, description?: string): Schema {
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties,
    required: Object.keys(properties),
  };
}

/** Name of the schema of the body with this event: `wallet.created` becomes `WalletCreatedEvent`. */
export function schemaNameOf(type: EventType): string {
  return `${pascalCase(type)}Event`;
}

function pascalCase(type: string): string {
  return type.replaceAll(/(?:^|[._])(.)/g, (_, first: string) => first.toUpperCase());
}
