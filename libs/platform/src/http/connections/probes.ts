const PROBES = new Set(['/livez', '/readyz']);

/** Whether the path is that of a health probe. Probes are always served. */
export function isProbe(path: string | undefined): boolean {
  return path !== undefined && PROBES.has(path.split('?', 1)[0] ?? '');
}
