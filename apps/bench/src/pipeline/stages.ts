/**
 * The stages of a request, in the order in which the benchmark adds them. Each stage includes all stages before it. All
 * stages consist of parts of the product.
 */
export const stages = [
  'routing',
  'id',
  'limits',
  'headers',
  'validation',
  'authentication',
  'handler',
  'serialization',
  'log',
] as const;
export type Stage = (typeof stages)[number];

/** The parts that each stage adds to the stage before it. */
export const meaning: Readonly<Record<Stage, string>> = {
  routing: 'Nest with Fastify’s adapter; the controller sends a text',
  id: 'request id, checks of connection, headers and body',
  limits: 'admission, orderly stop, metrics',
  headers: 'security headers',
  validation: 'a path parameter and a query class, control characters, cache directives',
  authentication: 'API key, its rate limit and concurrency',
  handler: 'a prepared response: ETag, negotiated encoding',
  serialization: 'an object that is serialized for each request, instead of the prepared response',
  log: 'one log line for each request',
};

/** Whether an application with the stages up to `last` has this stage. */
export function hasStage(last: Stage, stage: Stage): boolean {
  return stages.indexOf(stage) <= stages.indexOf(last);
}
