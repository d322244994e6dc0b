import { defineRoutes, gates, text } from '../../kernel/index.ts'
import { linkGate } from './links.ts'
import { Link, LinkBody, Screenshot, ScreenshotBody, ShowQuery } from './schemas.ts'

const page = text('text/html; charset=utf-8')

export const routes = defineRoutes({
  screenshot: {
    method: 'POST',
    path: '/preview/screenshot',
    gate: gates.access,
    can: 'read',
    summary: 'Takes a screenshot of a page, as draft or as published.',
    body: ScreenshotBody,
    replies: { 200: Screenshot },
    refusals: {
      400: 'preview_url_missing, preview_url_not_allowed, slug_is_url',
      429: 'too_many_screenshots',
      502: 'page_failed, page_not_idle, page_too_large',
      503: 'library_missing, browser_missing, browser_failed',
    },
  },
  link: {
    method: 'POST',
    path: '/preview/links',
    gate: gates.access,
    can: 'read',
    summary: 'Creates a link that shows a page for an hour: as draft, pending plan, version or snapshot, or two of them side by side.',
    body: LinkBody,
    replies: { 200: Link },
    refusals: { 404: 'not_found', 413: 'draft_too_large', 429: 'too_many_large_drafts' },
  },
  show: {
    method: 'GET',
    path: '/preview/show',
    gate: linkGate,
    sites: 'none',
    summary: 'Shows the page of a signed link from `POST /preview/links`.',
    query: ShowQuery,
    replies: { 200: page, 403: page, 410: page, 503: page },
    internal: true,
  },
})
