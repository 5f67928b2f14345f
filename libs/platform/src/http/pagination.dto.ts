import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

/** Query parameters of every listing. */
export class PageQuery {
  @ApiPropertyOptional({
    description: 'Page number, counted from 0.',
    minimum: 0,
    maximum: 1000,
    default: 0,
    type: 'integer',
  })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(1000)
  page: number = 0;

  @ApiPropertyOptional({ description: 'Entries on a page.', minimum: 1, maximum: 1000, default: 10, type: 'integer' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1000)
  limit: number = 10;
}

/** Where a page stands in the whole listing. */
export class PaginationResponse {
  @ApiProperty({ description: 'Entries that match, on all pages.', type: 'integer' })
  totalCount: number;

  @ApiProperty({ description: 'This page, counted from 0.', type: 'integer' })
  page: number;

  @ApiProperty({ description: 'Entries on a page.', type: 'integer' })
  limit: number;

  @ApiProperty({ description: 'Number of pages.', type: 'integer' })
  pageCount: number;
}

export function toPagination(totalCount: number, { page, limit }: PageQuery): PaginationResponse {
  return { totalCount, page, limit, pageCount: Math.ceil(totalCount / limit) };
}
