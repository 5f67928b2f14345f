import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#platform/testing';
import { operationsOf, type ApiDocument } from './api-document.js';
import { collection } from './collection.js';

interface Item {
  name: string;
  event?: { listen: string; script: { exec: string[] } }[];
  request: { url: { raw: string } };
}

describe('the collection for Postman, Bruno and Insomnia', () => {
  const document = JSON.parse(readFileSync(path.join(projectRoot, 'openapi.json'), 'utf8')) as ApiDocument;
  const { item: folders } = collection(document, operationsOf(document)) as { item: { item: Item[] }[] };
  const items = folders.flatMap(({ item }) => item);

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
