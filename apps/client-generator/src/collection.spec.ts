import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { projectRoot } from '#platform/testing';
import { operationsOf, type ApiDocument } from './api-document.js';
import { collection } from './collection.js';

interface Item {
  name: string;
  event?: { listen: string; script: { exec: string[] } }[];
  request: { method: string; description: string; url: { raw: string }; body?: { raw: string } };
}

describe('the collection for Postman, Bruno and Insomnia', () => {
  const document = JSON.parse(readFileSync(path.join(projectRoot, 'openapi.json'), 'utf8')) as ApiDocument;
  const { item: folders } = collection(document, operationsOf(document)) as { item: { item: Item[] }[] };
  const items = folders.flatMap(({ item }) => item);

  const idOf = ({ request }: Item): string => /^`(\w+)`/.exec(request.description)?.[1] ?? '';
  const bodyOf = ({ request: { body } }: Item): unknown => JSON.parse(body?.raw ?? 'null');

  it('has every operation except those that only browsers and exchanges call', () => {
    const ids = operationsOf(document).map(({ id }) => id);
    const leftOut = ids.filter((id) => !items.some((item) => idOf(item) === id));
    expect(leftOut).toEqual(['finishAuthorization', 'receiveWebhook']);
  });

  it('has only request bodies that fit the OpenAPI document, and a connect request with an API key and its secret', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const operations = operationsOf(document);
    for (const item of items.filter(({ request }) => request.body !== undefined)) {
      const { operation } = operations.find(({ id }) => id === idOf(item)) ?? {};
      const schema = operation?.requestBody?.content['application/json']?.schema;
      const isValid = ajv.compile({ ...schema, components: document.components });
      isValid(bodyOf(item));
      expect([item.name, isValid.errors]).toEqual([item.name, null]);
    }
    const connect = items.find((item) => idOf(item) === 'connectWallet');
    expect(connect && bodyOf(connect)).toEqual({ apiKey: 'my-api-key', apiSecret: 'my-api-secret' });
  });

  it('begins each connect session with a new idem, and polls the idem of the last session', () => {
    const begins = items.filter(({ request }) => request.url.raw.includes('/url?'));
    expect(begins).toHaveLength(2);
    for (const { event, request } of begins) {
      expect(request.url.raw).toContain('idem={{$guid}}');
      expect(event?.[0]?.script.exec.join('\n')).toContain("pm.collectionVariables.set('idem', idem)");
    }
    const poll = items.find(({ request }) => request.url.raw.includes('/status'));
    expect(poll?.request.url.raw).toContain('idem={{idem}}');
  });
});
