import type { TestProject } from '#access/testing';
import { Causeway, isCausewayError, type AnyCausewayError, type CausewayOptions } from '#client';
import type { DocumentedResponses } from './documented-responses.js';

/** The parts of a test application that a client needs. */
interface Service {
  url: string;
  answers: DocumentedResponses;
  env: Readonly<Record<string, string>>;
}

/**
 * The OpenAPI document does not describe the response. The client reports this error like a lost response, so only this
 * class distinguishes the two.
 */
class UndocumentedAnswer extends Error {}

/** Our own client for a project. It throws on every response that the OpenAPI document does not describe. */
export function causewayOf(
  { url: baseUrl, answers, env }: Service,
  { apiKey, organizationId, projectId }: Pick<TestProject, 'apiKey' | 'organizationId' | 'projectId'>,
  options: Partial<CausewayOptions> = {},
): Causeway {
  const { fetch: send = fetch } = options;
  const checked = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const response = await send(url, init);
    try {
      const body = (await response.clone().json()) as Record<string, unknown>;
      const headers = Object.fromEntries(response.headers);
      answers.check(init.method ?? 'GET', new URL(url).pathname, { status: response.status, headers, body });
    } catch (cause) {
      throw new UndocumentedAnswer(String(cause));
    }
    return response;
  };
  return new Causeway({
    baseUrl,
    apiKey,
    orgId: organizationId,
    projectId,
    adminToken: env.ADMIN_TOKEN,
    ...options,
    fetch: checked as typeof fetch,
  });
}

/** Returns the error that a call of the client fails with. @throws when it succeeds, or its response is undocumented */
export async function refusalOf(call: Promise<unknown>): Promise<AnyCausewayError> {
  const error: unknown = await call.then(
    (result) => new Error(`not refused: ${JSON.stringify(result)}`),
    (refusal: unknown) => refusal,
  );
  if (!isCausewayError(error)) throw error;
  if (error.cause instanceof UndocumentedAnswer) throw error.cause;
  return error;
}
