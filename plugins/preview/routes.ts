import { defineRoutes, gates, text } from '../../kernel/index.ts'
import { draftTooLarge, tooManyDrafts } from '../chat/port.ts'
import { linkGate } from './links.ts'
import { refusals } from './refusals.ts'
import { DraftEntry, EntryBody, Link, LinkBody, Screenshot, ScreenshotBody, ShowQuery } from './schemas.ts'

const { notFound, noDraftSecret, ...screenshotRefusals } = refusals
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
    refusals: Object.values(screenshotRefusals),
  },
  link: {
    method: 'POST',
    path: '/preview/links',
    gate: gates.access,
    can: 'read',
    summary:
      'Creates a link that shows a page for an hour: as draft, pending plan, version or snapshot, or two of them side by side.',
    body: LinkBody,
    replies: { 200: Link },
    refusals: [notFound, draftTooLarge, tooManyDrafts],
  },
  entry: {
    method: 'POST',
    path: '/preview/entry',
    gate: gates.access,
    can: 'read',
    summary: 'Creates a secret with which a browser sees one draft on its website for an hour.',
    body: EntryBody,
    replies: { 200: DraftEntry },
    refusals: [noDraftSecret, refusals.previewUrlNotAllowed],
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
