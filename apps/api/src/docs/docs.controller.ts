import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '#access';
import { NotFound } from '#platform/errors';
import { PreparedResponse, sendPrepared } from '#platform/http';
import { HasLoad } from '#platform/load';
import { readDocsFiles } from './docs-files.js';

/** Returns the OpenAPI document of the running API. */
export type DescribeApi = () => object;

/** Holds the function that builds the OpenAPI document; the app sets it before it listens. */
export class ShownDescription {
  describe: DescribeApi = () => ({});
}

const ACCESS = { limit: { name: 'docs', perMinute: 'DOCS_PER_MINUTE' } } as const;
const KEEPING = { cacheControl: 'no-cache' };

/** Serves Swagger UI and the OpenAPI document. */
@ApiExcludeController()
@Controller()
export class DocsController {
  private readonly files = readDocsFiles();
  private document: PreparedResponse | null = null;

  constructor(@Inject(ShownDescription) private readonly shown: ShownDescription) {}

  @Get('docs')
  @HasLoad('public')
  @Public(ACCESS)
  page(@Res() reply: FastifyReply): Promise<void> {
    return sendPrepared(reply, this.files.page, KEEPING);
  }

  @Get('docs/*')
  @HasLoad('public')
  @Public(ACCESS)
  async asset(@Param('*') name: string, @Res() reply: FastifyReply): Promise<void> {
    // The addresses in the page are relative, so its own address ends with a slash.
    if (name === '') return void reply.redirect('../docs', 308);
    const asset = this.files.assets.get(name);
    if (asset === undefined) throw new NotFound('Page');
    await sendPrepared(reply, asset, KEEPING);
  }

  @Get('openapi.json')
  @HasLoad('public')
  @Public(ACCESS)
  openApi(@Res() reply: FastifyReply): Promise<void> {
    this.document ??= PreparedResponse.json(this.shown.describe());
    return sendPrepared(reply, this.document, KEEPING);
  }
}
