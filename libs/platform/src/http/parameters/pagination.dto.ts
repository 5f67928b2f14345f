import { IntegerQuery } from './integer-query.decorator.js';
import { ApiField } from '../api-field.decorator.js';

/** The last page that can be requested; the first page is 0. */
const PAGE_MAX = 1000;
/** Maximum number of entries on a page. */
const LIMIT_MAX = 1000;
/** Maximum number of entries up to the end of the last page that can be requested. */
export const LISTED_MAX = (PAGE_MAX + 1) * LIMIT_MAX;

/** Query parameters of every paginated list. */
export class PageQuery {
  @IntegerQuery({ description: 'Page number, counted from 0.', minimum: 0, maximum: PAGE_MAX, default: 0 })
  page: number = 0;

  @IntegerQuery({ description: 'Entries on a page.', minimum: 1, maximum: LIMIT_MAX, default: 10 })
  limit: number = 10;
}

/** The position of a page in the whole list. */
export class PaginationResponse {
  @ApiField('Number of matching entries on all pages.', { type: 'integer' })
  totalCount: number;

  @ApiField('Number of this page, counted from 0.', { type: 'integer' })
  page: number;

  @ApiField('Entries on a page.', { type: 'integer' })
  limit: number;

  @ApiField('Number of pages.', { type: 'integer' })
  pageCount: number;
}

export function toPagination(totalCount: number, { page, limit }: PageQuery): PaginationResponse {
  return { totalCount, page, limit, pageCount: Math.ceil(totalCount / limit) };
}
