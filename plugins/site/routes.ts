import { defineRoutes, gate, gates, redirect } from '../../kernel/index.ts'
import { ManifestDocument } from '../content/manifest.ts'
import { parseExactly } from '../content/numbers.ts'
import {
  DisableQuery,
  DraftQuery,
  PagesQuery,
  PublicationBody,
  Published,
  PublishFailed,
  SitePages,
} from './schemas.ts'
import { contentUnavailable } from './refusals.ts'

/** The gates of a site's own editor routes. */
export const siteGates = { publish: gate('site.publish'), draft: gate('site.draft') } as const

/** Paths below the base path of the editor routes, `/api/editor` by default. */
export const routes = defineRoutes({
  blocks: {
    method: 'GET',
    path: '/blocks',
    gate: gates.public,
    summary: 'Returns the block types of this site.',
    replies: { 200: ManifestDocument },
  },
  pages: {
    method: 'GET',
    path: '/pages',
    gate: gates.public,
    summary: 'Returns the published pages of this site.',
    query: PagesQuery,
    replies: { 200: SitePages },
    refusals: [contentUnavailable],
  },
  draft: {
    method: 'GET',
    path: '/draft',
    gate: siteGates.draft,
    summary: 'Starts draft mode in this browser, and redirects to a page.',
    query: DraftQuery,
    replies: { 307: redirect('Draft mode is on.') },
  },
  disable: {
    method: 'GET',
    path: '/draft/disable',
    gate: gates.public,
    summary: 'Ends draft mode in this browser, and redirects to a page.',
    query: DisableQuery,
    replies: { 307: redirect('Draft mode is off.') },
  },
  publish: {
    method: 'POST',
    path: '/publish',
    gate: siteGates.publish,
    summary: 'Publishes pages.',
    body: PublicationBody,
    // Every page of a site, and its images.
    maxBytes: 64 * 1024 * 1024,
    maxValues: 1_000_000,
    parse: parseExactly,
    replies: {
      200: Published,
      400: PublishFailed,
      409: PublishFailed,
      412: PublishFailed,
      500: PublishFailed,
    },
  },
})
