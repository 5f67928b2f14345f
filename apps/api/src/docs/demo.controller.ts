import { readFile } from 'node:fs/promises';
import { Controller, Get, Header, Headers } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { z } from 'zod';
import { API_KEY_HEADER, ORGANIZATION_HEADER, PROJECT_HEADER, Public } from '#access';
import { Config } from '#platform/config';
import { NotFound } from '#platform/errors';
import { DOCS_ACCESS } from './docs.controller.js';

/** The names of this machine. Another name is refused, because any DNS server can point a name at this machine. */
const OWN_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;
const demoFile = z.object({ apiKey: z.string(), orgId: z.string(), projectId: z.string() });

/**
 * Returns the credentials of the demo to the page of the documentation. This endpoint exists only where `DEMO_FILE` is
 * set.
 */
@ApiExcludeController()
@Controller()
export class DemoController {
  constructor(private readonly config: Config) {}

  @Get('docs/demo.json')
  @Public(DOCS_ACCESS)
  @Header('cache-control', 'no-store')
  async read(
    @Headers('host') host = '',
    @Headers('sec-fetch-site') site = 'same-origin',
  ): Promise<Record<string, string>> {
    const { DEMO_FILE } = this.config.values;
    if (DEMO_FILE === undefined || !OWN_HOST.test(host) || site !== 'same-origin') throw new NotFound('Page');
    const text = await readFile(DEMO_FILE, 'utf8').catch(() => null);
    // `npm start` writes the file when its processes are ready. Until then, the page asks the user to try again.
    if (text === null) throw new NotFound('Demo');
    const { apiKey, orgId, projectId } = demoFile.parse(JSON.parse(text));
    return { [API_KEY_HEADER]: apiKey, [ORGANIZATION_HEADER]: orgId, [PROJECT_HEADER]: projectId };
  }
}
