import { Controller, Get, HttpStatus, Inject, Param, Redirect, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '#access';
import { Config } from '#platform/config';
import { NotFound } from '#platform/errors';
import { PreparedResponse, prepareReply, type PreparedBody } from '#platform/http';
import { HasLoad } from '#platform/load';
import { readDocsFiles, type DocsFiles } from './docs-files.js';

/** Returns the OpenAPI document of the running API. */
export type DescribeApi = () => object;

/** Holds the function that builds the OpenAPI document; the app sets this function before it listens. */
export class ShownDescription {
  describe: DescribeApi = () => ({});
}

export const DOCS_ACCESS = { limit: { name: 'docs', perMinute: 'DOCS_PER_MINUTE' } } as const;
const KEEPING = { cacheControl: 'no-cache' };

/** Serves Swagger UI and the OpenAPI document. */
@ApiExcludeController()
@Controller()
export class DocsController {
  private readonly files: DocsFiles;
  private document: PreparedResponse | null = null;

  constructor(
    @Inject(ShownDescription) private readonly shown: ShownDescription,
    config: Config,
  ) {
    this.files = readDocsFiles({ hasDemo: config.values.DEMO_FILE !== undefined });
  }

  /** Redirects to the documentation, because newcomers open the bare address of the API. */
  @Get()
  @Redirect('docs', HttpStatus.FOUND)
  @Public(DOCS_ACCESS)
  root(): void {
    // The decorator above makes the response.
  }

  @Get('docs')
  @HasLoad('public')
  @Public(DOCS_ACCESS)
  page(@Res({ passthrough: true }) reply: FastifyReply): PreparedBody | undefined {
    return prepareReply(reply, this.files.page, KEEPING);
  }

  @Get('docs/*')
  @HasLoad('public')
  @Public(DOCS_ACCESS)
  asset(@Param('*') name: string, @Res({ passthrough: true }) reply: FastifyReply): PreparedBody | undefined {
    if (name === '') {
      // The addresses in the page are relative to `/docs`.
      void reply.status(HttpStatus.PERMANENT_REDIRECT).header('location', '../docs');
      return undefined;
    }
    const response = this.files.assets.get(name);
    if (response === undefined) throw new NotFound('Page');
    return prepareReply(reply, response, KEEPING);
  }

  @Get('openapi.json')
  @HasLoad('public')
  @Public(DOCS_ACCESS)
  openApi(@Res({ passthrough: true }) reply: FastifyReply): PreparedBody | undefined {
    this.document ??= PreparedResponse.json(this.shown.describe());
    return prepareReply(reply, this.document, KEEPING);
  }
}
