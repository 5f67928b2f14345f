import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { fastify } from 'fastify';
import { DomainError, NotFound, Overloaded } from '#platform/errors';
import type { PublicAddress } from '../session/public-address.js';
import { PageErrorFilter } from './page-error.filter.js';
import { PageUrls } from './page-urls.js';

const address: Pick<PublicAddress, 'origin' | 'url'> = {
  origin: 'https://causeway.example',
  url: (path) => `https://causeway.example${path}`,
};
const filter = new PageErrorFilter(new PageUrls(address as PublicAddress));
const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

describe('the page after an error', () => {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const app = fastify({ logger: { level: 'warn', stream } });
  let error: unknown = null;
  app.get('/connect/:token', () => {
    throw error;
  });
  app.setErrorHandler((thrown, request, reply) => {
    filter.catch(thrown, new ExecutionContextHost([request, reply]));
  });
  const open = async (thrown: unknown, accept = 'text/html') => {
    error = thrown;
    return app.inject({ url: '/connect/token', headers: { accept } });
  };

  beforeEach(() => lines.splice(0));
  afterAll(() => app.close());

  it.each([
    ['the database cannot be reached', refused, '2'],
    ['this process is overloaded', new Overloaded(), '1'],
  ])('has the status 503 and a link for a new attempt when %s', async (_what, thrown, retryAfter) => {
    for (const { statusCode, headers, body } of [await open(thrown), await open(thrown)]) {
      expect([statusCode, headers['retry-after']]).toEqual([503, retryAfter]);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(body).toContain('We cannot show this page right now');
      expect(body).toContain('href="/connect/token"');
    }
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 40, status: 503 });
    expect(lines[0]).not.toHaveProperty('err');
  });

  it('logs the failure of an exchange without a stack', async () => {
    const { statusCode, body } = await open(new DomainError('WITHDRAWAL_PROVIDER_ERROR', 'Kraken does not answer'));
    expect(statusCode).toBe(502);
    expect(body).toContain('Something went wrong on our side');
    expect(lines).toMatchObject([{ level: 40, msg: 'Kraken does not answer' }]);
  });

  it('names an unexpected error as a fault of this service, and logs its stack', async () => {
    const { statusCode, headers, body } = await open(new TypeError('x is not a function'));
    expect([statusCode, headers['retry-after']]).toEqual([500, undefined]);
    expect(body).toContain('Something went wrong on our side');
    expect(body).toContain('GENERIC_INTERNAL_SERVER_ERROR');
    expect(lines).toMatchObject([{ level: 50, err: { type: 'TypeError' } }]);
  });

  it('logs nothing for a link to an unknown session', async () => {
    const { statusCode, body } = await open(new NotFound('Session'));
    expect(statusCode).toBe(404);
    expect(body).toContain('This link leads nowhere');
    expect(lines).toEqual([]);
  });

  it.each([
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['TEXT/HTML', 'text/html; charset=utf-8'],
    ['application/json;q=0.5, text/html', 'text/html; charset=utf-8'],
    ['text/html;q=0.5, application/json', 'application/json; charset=utf-8'],
    ['text/html;q=0', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['application/problem+json', 'application/problem+json; charset=utf-8'],
    ['application/problem+json;q=0, application/json', 'application/json; charset=utf-8'],
  ])('has the content type that the caller prefers: %s gets %s', async (accept, contentType) => {
    const { headers } = await open(new NotFound('Session'), accept);
    expect(headers['content-type']).toBe(contentType);
  });
});
