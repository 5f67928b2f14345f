const PROBE = /^\/(?:livez|readyz)(?:\?|$)/;

/** Whether the path is that of a health probe. Probes are always served. */
export function isProbe(path: string | undefined): boolean {
  return path !== undefined && PROBE.test(path);
}
