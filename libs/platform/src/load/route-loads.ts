import type { RouteOptions } from 'fastify';
import type { LoadClass } from './load-class.js';

interface KnownRoute {
  methods: readonly string[];
  path: RegExp;
  loadClass: LoadClass;
}

/** Finds the load class of a request by its method and path, before the router sees it. */
export class RouteLoads {
  private readonly routes: KnownRoute[] = [];

  add({ method, url, config }: RouteOptions): void {
    const { loadClass } = config ?? {};
    if (loadClass === undefined) return;
    const pattern = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : part.replace('*', '.*')));
    this.routes.push({ methods: [method].flat(), path: new RegExp(`^${pattern.join('/')}$`), loadClass });
  }

  classOf(method: string, url: string): LoadClass {
    const path = url.split('?', 1)[0] ?? '';
    const known = this.routes.find((route) => route.methods.includes(method) && route.path.test(path));
    return known?.loadClass ?? 'ordinary';
  }
}
