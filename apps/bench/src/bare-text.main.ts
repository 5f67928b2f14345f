import { readFileSync } from 'node:fs';
import { listenBare } from './bare-server.js';

const [file = ''] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');

await listenBare((app) => {
  app.get('/text', (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
});
