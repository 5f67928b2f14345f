import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '#access';
import { Exchanges } from '#exchange';
import { NotFound } from '#platform/errors';
import { clientScript, etagOf, icon, logoOf, stylesheet, type Asset } from './assets.js';
import { themeCss } from './theme.js';

const files = new Map([stylesheet, clientScript, icon].map((asset) => [asset.name, asset]));
const THEME = /^([0-9a-f]{6})\.css$/;
const LOGO = /^(.+)\.svg$/;
const YEAR_SECONDS = 31_536_000;
const DAY_SECONDS = 86_400;

/** The files of the page, and the logos that applications may show as well. */
@ApiExcludeController()
@Controller('connect/assets')
export class AssetsController {
  constructor(private readonly exchanges: Exchanges) {}

  @Get(':name')
  @Public()
  file(@Param('name') name: string, @Res() reply: FastifyReply): void {
    const asset: Asset | undefined = files.get(name);
    if (asset === undefined) throw new NotFound('Asset');
    void reply
      .headers({ 'cache-control': `public, max-age=${YEAR_SECONDS}, immutable` })
      .type(asset.type)
      .send(asset.text);
  }

  @Get('theme/:name')
  @Public()
  theme(@Param('name') name: string, @Res() reply: FastifyReply): void {
    const color = THEME.exec(name)?.[1];
    if (color === undefined) throw new NotFound('Asset');
    void reply
      .headers({ 'cache-control': `public, max-age=${DAY_SECONDS}` })
      .type('text/css; charset=utf-8')
      .send(themeCss(`#${color}`));
  }

  @Get('logo/:name')
  @Public()
  logo(@Param('name') name: string, @Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply) {
    const spec = this.exchanges.find(LOGO.exec(name)?.[1] ?? '');
    if (spec === null) throw new NotFound('Logo');
    const svg = logoOf(spec);
    const etag = etagOf(svg);
    void reply.headers({
      etag,
      'cache-control': `public, max-age=${DAY_SECONDS}`,
      // Pages of all origins may load the logos, because applications show them in their own lists of exchanges.
      'cross-origin-resource-policy': 'cross-origin',
    });
    if (known === etag) return void reply.status(304).send();
    void reply.type('image/svg+xml').send(svg);
  }
}
