const PROBES = new Set(['/livez', '/readyz']);

/** Whether the path is that of a probe of the machine that runs us: always answered. */
export function isProbe(path: string | undefined): boolean {
  return path !== undefined && PROBES.has(path.split('?', 1)[0] ?? '');
}
