import { Causeway, type CausewayOptions } from '#client';
import { DocumentedAnswers } from './documented-answers.js';
import { ADMIN_TOKEN, type TestApp, type TestProjectWithClient } from './test-app.js';

/** Our own client for a project. It throws on every response that the OpenAPI document does not describe. */
export function causewayOf(
  app: TestApp,
  { apiKey, organizationId, projectId }: TestProjectWithClient,
  options: Partial<CausewayOptions> = {},
): Causeway {
  const answers = new DocumentedAnswers(app.document);
  const { fetch: send = fetch } = options;
  const checked = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const response = await send(url, init);
    const body = (await response.clone().json()) as Record<string, unknown>;
    const headers = Object.fromEntries(response.headers);
    answers.check(init.method ?? 'GET', new URL(url).pathname, { status: response.status, headers, body });
    return response;
  };
  return new Causeway({
    baseUrl: app.url,
    apiKey,
    orgId: organizationId,
    projectId,
    adminToken: ADMIN_TOKEN,
    ...options,
    fetch: checked as typeof fetch,
  });
}
