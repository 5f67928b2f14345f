/** Encodings in which answers are prepared, the smaller first. */
export const encodings = ['br', 'gzip'] as const;

export type ContentEncoding = (typeof encodings)[number] | 'identity';

/**
 * The encoding that the caller takes and likes best; of two that it likes equally, the smaller (RFC 9110 §12.5.3). An
 * answer without any is what everybody understands.
 */
export function chooseEncoding(accepted: string | undefined): ContentEncoding {
  const weights = new Map((accepted ?? '').split(',').map(weightOf));
  const weight = (encoding: string): number => weights.get(encoding) ?? weights.get('*') ?? 0;
  const best = [...encodings].sort((a, b) => weight(b) - weight(a))[0] ?? 'br';
  const plain = weights.get('identity') ?? 0;
  return weight(best) > 0 && weight(best) >= plain ? best : 'identity';
}

/** `gzip;q=0.5` → gzip, 0.5. */
function weightOf(part: string): [string, number] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const weight = q === undefined ? 1 : Number(q);
  return [name, Number.isFinite(weight) ? weight : 0];
}
