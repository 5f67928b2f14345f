import type { RouteOptions } from 'fastify';
import { RouteLoads } from './route-loads.js';

describe('the load class of a request', () => {
  const routes = new RouteLoads();
  const add = (method: string | string[], url: string, loadClass?: 'money' | 'list' | 'public'): void =>
    routes.add({ method, url, config: { loadClass } } as RouteOptions);
  add('PUT', '/v0/wallet/withdraw/:quoteId/execute', 'money');
  add('GET', '/v0/wallet/transactions', 'list');
  add(['GET', 'HEAD'], '/docs/*', 'public');
  add('GET', '/v0/wallet');

  it.each([
    ['PUT', '/v0/wallet/withdraw/abc/execute', 'money'],
    ['PUT', '/v0/wallet/withdraw/abc/execute?x=1', 'money'],
    ['PUT', '/v0/wallet/withdraw/a/b/execute', 'ordinary'],
    ['GET', '/v0/wallet/withdraw/abc/execute', 'ordinary'],
    ['GET', '/v0/wallet/transactions?network=none', 'list'],
    ['GET', '/v0/wallet/transactions/more', 'ordinary'],
    ['HEAD', '/docs/swagger-ui.css', 'public'],
    ['GET', '/v0/wallet', 'ordinary'],
    ['GET', '/', 'ordinary'],
  ])('%s %s is %s', (method, url, loadClass) => {
    expect(routes.classOf(method, url)).toBe(loadClass);
  });
});
