import type { OpenAPIObject } from '@nestjs/swagger';
import { WALLET_HEADER } from '#access';
import type { DocumentedOperation, DocumentedParameter } from './operation.js';

/** The wallet that `npm start` connects. */
const DEMO_WALLET = 'demo-wallet';
/**
 * An address that every account at the sandbox exchange has saved for withdrawals, unless the account was opened with
 * other addresses.
 */
const DEMO_ADDRESS = 'bc1pjgv68y0p8ln590tkgc6p2wmqxwqun9y79d6sle83cx0kwwwcttcqd3xcrp';

type Examples = Record<string, { summary: string; value: object }>;

/**
 * Bodies by operation id. Swagger UI's "Try it out" begins with the first one. All of them work with the demo, except
 * the key and the secret, which a person replaces.
 */
const bodies: Record<string, Examples> = {
  connectWallet: {
    keyAndSecret: {
      summary: 'A key with a secret, as most exchanges have it',
      value: { apiKey: 'my-api-key', apiSecret: 'my-api-secret' },
    },
    token: { summary: 'A token of the exchange `sandbox`', value: { apiKey: 'sandbox_none_1' } },
  },
  createQuote: {
    feeOnTop: {
      summary: 'The fee is added to the amount',
      value: { asset: 'BTC', network: 'bitcoin', amount: '0.01', address: DEMO_ADDRESS },
    },
    feeInside: {
      summary: 'The amount includes the fee',
      value: { asset: 'BTC', network: 'bitcoin', amount: '0.01', address: DEMO_ADDRESS, includeFee: true },
    },
  },
  executeQuote: {
    execute: { summary: 'Move the money', value: {} },
    dryRun: { summary: 'Check everything, move nothing', value: { params: { dryRun: true } } },
  },
};

interface Operation extends DocumentedOperation {
  requestBody?: { content: Record<string, { examples?: Examples }> };
}

/** Adds examples to the document. */
export function addExamples(document: OpenAPIObject): void {
  for (const operation of Object.values(document.paths).flatMap(
    (path) => Object.values(path as object) as Operation[],
  )) {
    for (const parameter of operation.parameters ?? []) adjust(parameter);
    const body = operation.requestBody?.content['application/json'];
    const examples = bodies[operation.operationId];
    if (body && examples) body.examples = examples;
  }
}

function adjust(parameter: DocumentedParameter | { $ref: string }): void {
  if ('$ref' in parameter) return;
  if (parameter.name === WALLET_HEADER) parameter.example = DEMO_WALLET;
  // Swagger UI displays the first value of a required enum. Its first "Execute" sends this value only when the
  // parameter has an example.
  if (parameter.required === true && Array.isArray(parameter.schema?.enum)) {
    parameter.schema.example ??= (parameter.schema.enum as unknown[])[0];
  }
  // "Try it out" sends every example. All filters of a listing together would find nothing, so optional query
  // parameters have no example.
  if (parameter.in === 'query' && parameter.required !== true) delete parameter.schema?.example;
}
